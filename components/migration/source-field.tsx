import { Code, Text } from "@mantine/core";

import type { FieldReport } from "@/lib/migration/schemas";

/** A field of the source by its label, its API name and its type. */
export function SourceField({ field }: { field: FieldReport }) {
  return (
    <>
      {field.label}
      <Text component="div" size="xs" c="dimmed" fw={400}>
        <Code fz="inherit">{field.source}</Code> {field.type}
      </Text>
    </>
  );
}
