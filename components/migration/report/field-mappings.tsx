import { Stack, Text, Title } from "@mantine/core";

import { Disclosure } from "@/components/ui/layout/disclosure";
import { type StackColumn, StackTable } from "@/components/ui/layout/stack-table";
import { isSelectable, objectLabel } from "@/lib/migration/objects/source-object-names";
import type { FieldReport, ObjectReport } from "@/lib/migration/report/report-schema";
import { summarizeFields } from "@/lib/migration/report/wording";
import { fillInWords, Fit, SOURCE_COLUMNS, targetLabel } from "@/components/migration/report/findings";

const COLUMNS: StackColumn<FieldReport>[] = [
  ...SOURCE_COLUMNS,
  { key: "fill", header: "Filled", cell: ({ fill }) => fillInWords(fill) },
  { key: "target", header: "Goes to", cell: (field) => targetLabel(field.target) },
  { key: "confidence", header: "How", cell: (field) => <Fit {...field} /> },
];

/** The suggested targets of the fields of all imported objects. The user can change them in the next step. */
export function FieldMappings({ inventory, hasRun }: { inventory: readonly ObjectReport[]; hasRun: boolean }) {
  const supported = inventory.filter((item) => isSelectable(item.status) && item.fields.length > 0);
  return (
    <section>
      <Title order={2}>Where the fields go</Title>
      <Text c="dimmed" size="sm" mb="md">
        {hasRun
          ? "What the analysis suggested; the configuration says what was chosen."
          : "You can change this in the next step."}
      </Text>
      <Stack gap="xs">
        {supported.map((item) => (
          <Disclosure key={item.object} title={objectLabel(item)} note={summarizeFields(item.fields)}>
            <StackTable
              caption={`Fields of ${objectLabel(item)}`}
              columns={COLUMNS}
              rows={item.fields}
              rowKey={(field) => field.source}
            />
          </Disclosure>
        ))}
      </Stack>
    </section>
  );
}
