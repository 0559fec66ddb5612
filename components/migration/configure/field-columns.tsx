import type { StackColumn } from "@/components/ui/layout/stack-table";
import { choicesFor } from "@/components/migration/configure/draft";
import type { FieldEditing } from "@/components/migration/configure/field-editing";
import { TargetSelect } from "@/components/migration/configure/target-select";
import { ValueMap } from "@/components/migration/configure/value-map";
import { ChosenBadge } from "@/components/migration/report/confidence-badge";
import { Fit, SOURCE_COLUMNS } from "@/components/migration/field-columns";
import { chosenTarget } from "@/lib/migration/configuration/mapping-rules";
import type { FieldReport } from "@/lib/migration/report/report-schema";

/** The columns of the table in which the user chooses targets. */
export function fieldColumns(editing: FieldEditing): StackColumn<FieldReport>[] {
  return [
    ...SOURCE_COLUMNS,
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
  if (chosenTarget(field, choices.fields) !== field.target)
    return <Fit confidence="custom" note="You gave its place to another field." />;
  return <Fit {...field} />;
}
