import { EmptyState, Paper } from "@mantine/core";
import type { IconProps } from "@tabler/icons-react";
import type { ComponentType, ReactNode } from "react";

interface EmptyListProps {
  icon: ComponentType<IconProps>;
  title: string;
  description?: ReactNode;
  /** A button that mends it. */
  children?: ReactNode;
}

/** Stands in place of a list without rows: why, and what to do. */
export function EmptyList({ icon: Icon, title, description, children }: EmptyListProps) {
  return (
    <Paper withBorder py={56} px="md">
      <EmptyState icon={<Icon stroke={1.4} />} variant="light" title={title} description={description}>
        {children && <EmptyState.Actions>{children}</EmptyState.Actions>}
      </EmptyState>
    </Paper>
  );
}
