import { Paper, Title } from "@mantine/core";
import type { ReactNode } from "react";

interface OptionProps {
  title: string;
  children: ReactNode;
}

/** One option of a run with its heading. */
export function Option({ title, children }: OptionProps) {
  return (
    <Paper withBorder p="lg" component="section">
      <Title order={3} mb="sm">
        {title}
      </Title>
      {children}
    </Paper>
  );
}
