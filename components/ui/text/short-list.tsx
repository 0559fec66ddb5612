import { Text } from "@mantine/core";
import type { ReactNode } from "react";

interface ShortListProps {
  items: readonly string[];
  /** How many are shown; all without it. */
  max?: number | undefined;
  className: string | undefined;
  children: (item: string) => ReactNode;
}

/** The first of some texts, and how many more there are. */
export function ShortList({ items, max = items.length, className, children }: ShortListProps) {
  return (
    <ul className={className}>
      {items.slice(0, max).map((item) => (
        <li key={item}>{children(item)}</li>
      ))}
      {items.length > max && (
        <Text component="li" size="xs" c="dimmed">
          and {items.length - max} more
        </Text>
      )}
    </ul>
  );
}
