import { SegmentedControl, Text } from "@mantine/core";

import classes from "@/components/migration/conflicts/conflict-card.module.css";
import { customFieldValue } from "@/components/records/fields/custom-field-value";
import type { StackColumn } from "@/components/ui/layout/stack-table";
import { fieldLabel } from "@/components/ui/text/format";
import type { Conflict, Side } from "@/lib/migration/conflicts/conflict-schema";

type ConflictField = Conflict["fields"][number];

/** Which side each field is taken from; a field that is absent stays as it is here. */
export type Choices = Readonly<Record<string, Side>>;

/** Both values of each field side by side, and the choice between them. `of` names the record. */
export function conflictColumns(
  of: string,
  choices: Choices,
  onChoose: (choices: Choices) => void,
): StackColumn<ConflictField>[] {
  return [
    { key: "field", header: "Field", heading: true, cell: ({ field }) => labelOf(field) },
    { key: "ours", header: "Here", cell: ({ field, ours }) => <Value name={field} value={ours} /> },
    { key: "source", header: "In Salesforce", cell: ({ field, source }) => <Value name={field} value={source} /> },
    {
      key: "take",
      header: "Take",
      wide: true,
      cell: ({ field }) => (
        <SegmentedControl
          size="xs"
          color="pine"
          classNames={{ label: classes.side }}
          aria-label={`Take ${labelOf(field)} of ${of} from`}
          value={choices[field] ?? "ours"}
          onChange={(value) => onChoose({ ...choices, [field]: value === "source" ? "source" : "ours" })}
          data={SIDES}
        />
      ),
    },
  ];
}

const SIDES = [
  { value: "ours", label: "Here" },
  { value: "source", label: "Salesforce" },
];

function labelOf(field: string): string {
  return field.startsWith("custom_fields.") ? field.slice("custom_fields.".length) : fieldLabel(field);
}

function Value({ name, value }: { name: string; value: unknown }) {
  if (value === null || value === "") {
    return (
      <Text component="span" size="sm" c="dimmed">
        (empty)
      </Text>
    );
  }
  return <bdi>{customFieldValue(name, value)}</bdi>;
}
