import { Group, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";

import { changeWords, LINK_STATES } from "@/components/migration/configure/preview/preview-words";
import { targetLabel } from "@/components/migration/report/findings";
import { customFieldValue } from "@/components/records/fields/custom-field-value";
import { type StackColumn, StackTable } from "@/components/ui/layout/stack-table";
import type { PreviewedField, PreviewedLink, PreviewedRecord } from "@/lib/migration/preview/preview-schema";

/** A value before and after. */
interface Row {
  key: string;
  label: string;
  source: string;
  before: unknown;
  target: string | null;
  after: unknown;
  what: string;
  isLoss: boolean;
  note: string | null;
}

/** A record side by side: what Salesforce has, and what would be stored here. */
export function PreviewTable({ record }: { record: PreviewedRecord }) {
  return (
    <StackTable
      caption={`${record.name ?? record.ext_id}, before and after`}
      columns={COLUMNS}
      rows={rowsOf(record)}
      rowKey={({ key }) => key}
    />
  );
}

function rowsOf({ fields, fillers, links }: PreviewedRecord): Row[] {
  const linksByField = Map.groupBy(links, ({ field }) => field);
  const own = fields.map((field) =>
    rowOf(
      field,
      linksByField.get(field.source)?.find(({ target }) => target === field.target),
    ),
  );
  const filled = fillers.map(({ field, value }): Row => ({
    key: `filled ${field}`,
    label: "Nothing",
    source: "",
    before: null,
    target: field,
    after: value,
    what: "Filled in by the import",
    isLoss: false,
    note: null,
  }));
  // What deserves a look comes first.
  return [...own.filter(({ isLoss }) => isLoss), ...own.filter(({ isLoss }) => !isLoss), ...filled];
}

function rowOf(field: PreviewedField, link: PreviewedLink | undefined): Row {
  const { label, isLoss = false } = changeWords(field);
  return {
    key: field.source,
    label: field.label,
    source: field.source,
    before: field.source_value,
    target: field.target,
    after: field.value,
    what: link ? LINK_STATES[link.state] : label,
    isLoss,
    note: link?.note ?? (isLoss ? field.note : null),
  };
}

const COLUMNS: StackColumn<Row>[] = [
  {
    key: "field",
    header: "Field in Salesforce",
    heading: true,
    cell: ({ label, source }) => (
      <>
        {label}
        <Text component="div" size="xs" c="dimmed" ff="monospace" fw={400}>
          {source}
        </Text>
      </>
    ),
  },
  { key: "before", header: "In Salesforce", cell: ({ source, before }) => <Value name={source} value={before} /> },
  {
    key: "after",
    header: "Here",
    cell: ({ source, target, after }) => (
      <>
        <Value name={source} value={after} />
        <Text component="div" size="xs" c="dimmed">
          {targetLabel(target)}
        </Text>
      </>
    ),
  },
  {
    key: "what",
    header: "What happens",
    cell: ({ what, isLoss, note }) => (
      <>
        <Group gap={4} wrap="nowrap" align="flex-start">
          {isLoss && <IconAlertTriangle size={16} aria-hidden style={{ flex: "none" }} />}
          <span>{what}</span>
        </Group>
        {note !== null && (
          <Text component="div" size="xs" c="dimmed">
            {note}
          </Text>
        )}
      </>
    ),
  },
];

/** As the record's page will show it, whatever the type of the field. */
function Value({ name, value }: { name: string; value: unknown }) {
  if (value === null || value === undefined || value === "")
    return (
      <Text span inherit c="dimmed">
        (empty)
      </Text>
    );
  return <bdi>{customFieldValue(name, value)}</bdi>;
}
