import { Text } from "@mantine/core";

import type { StackColumn } from "@/components/ui/layout/stack-table";
import { ConfidenceBadge } from "@/components/migration/report/confidence-badge";
import { Samples } from "@/components/migration/samples";
import { SourceField } from "@/components/migration/source-field";
import type { FieldReport } from "@/lib/migration/report/report-schema";

/** The first columns of every table of fields: the field of the source, and values of real records. */
export const SOURCE_COLUMNS: StackColumn<FieldReport>[] = [
  { key: "source", header: "Salesforce field", heading: true, cell: (field) => <SourceField field={field} /> },
  {
    key: "samples",
    header: "Samples",
    cell: (field) => (field.samples.length > 0 ? <Samples values={field.samples} /> : null),
  },
];

/** How well a target fits, and a note on it. */
export function Fit({ confidence, note }: Pick<FieldReport, "confidence" | "note">) {
  return (
    <>
      <ConfidenceBadge confidence={confidence} />
      {note && (
        <Text component="div" size="xs" c="dimmed" mt={4}>
          {note}
        </Text>
      )}
    </>
  );
}
