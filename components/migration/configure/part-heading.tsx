import { Group, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";

interface PartHeadingProps {
  title: string;
  /** What it is about, in a sentence or two. */
  children: ReactNode;
  /** Buttons at the title's side. */
  action?: ReactNode;
}

/** The heading of a part of the configuration. */
export function PartHeading({ title, children, action }: PartHeadingProps) {
  return (
    <Group justify="space-between" align="flex-end" gap="sm">
      <div>
        <Title order={2}>{title}</Title>
        {children && (
          <Text c="dimmed" size="sm" mt={4} maw="44rem">
            {children}
          </Text>
        )}
      </div>
      {action}
    </Group>
  );
}
