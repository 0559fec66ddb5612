import { Text } from "@mantine/core";

import type { StackColumn } from "@/components/layout/stack-table";
import { choicesFor } from "@/components/migration/configure/draft";
import type { FieldEditing } from "@/components/migration/configure/field-editing";
import { TargetSelect } from "@/components/migration/configure/target-select";
import { ValueMap } from "@/components/migration/configure/value-map";
import { ChosenBadge, ConfidenceBadge } from "@/components/migration/report/confidence-badge";
import { SourceField } from "@/components/migration/source-field";
import { Samples } from "@/components/migration/samples";
import { targetOf } from "@/lib/migration/objects/target-of";
import type { FieldReport } from "@/lib/migration/schemas";

/** The columns of the table in which targets are chosen. */
export function fieldColumns(editing: FieldEditing): StackColumn<FieldReport>[] {
  return [
    { key: "source", header: "Salesforce field", heading: true, cell: (field) => <SourceField field={field} /> },
    { key: "samples", header: "Samples", cell: (field) => (field.samples.length > 0 ? <Samples values={field.samples} /> : null) },
    {
      key: "target",
      header: "Goes to",
      wide: true,
      cell: (field) => (
        <>
          <TargetSelect field={field} editing={editing} />
          <ValueMap field={field} editing={editing} />
        </>
      ),
    },
    { key: "confidence", header: "How", cell: (field) => <How field={field} editing={editing} /> },
  ];
}

function How({ field, editing }: { field: FieldReport; editing: FieldEditing }) {
  const choices = choicesFor(editing.draft, editing.object);
  if (choices.fields[field.source] !== undefined) return <ChosenBadge />;
  if (targetOf(field, choices.fields) !== field.target) {
    return (
      <>
        <ConfidenceBadge confidence="custom" />
        <Text component="div" size="xs" c="dimmed" mt={4}>
          You gave its place to another field.
        </Text>
      </>
    );
  }
  return (
    <>
      <ConfidenceBadge confidence={field.confidence} />
      {field.note && (
        <Text component="div" size="xs" c="dimmed" mt={4}>
          {field.note}
        </Text>
      )}
    </>
  );
}
