import { Text } from "@mantine/core";

import type { FieldReport } from "@/lib/migration/report/report-schema";

/** A field of the source: its label, API name and type. */
export function SourceField({ field }: { field: FieldReport }) {
  return (
    <>
      {field.label}
      <Text component="div" size="xs" c="dimmed" fw={400}>
        <Text component="span" inherit ff="monospace">
          {field.source}
        </Text>{" "}
        {field.type}
      </Text>
    </>
  );
}
