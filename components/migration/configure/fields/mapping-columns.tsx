import { Badge, Text } from "@mantine/core";

import { choicesFor } from "@/components/migration/configure/draft/choices";
import { useEditing } from "@/components/migration/configure/draft/use-draft";
import { isRequired } from "@/components/migration/configure/fields/filter-fields";
import { TargetSelect } from "@/components/migration/configure/fields/target-select";
import { Verdict } from "@/components/migration/configure/fields/verdict";
import { ChosenBadge, ConfidenceBadge, fillInWords, SOURCE_COLUMNS } from "@/components/migration/report/findings";
import type { StackColumn } from "@/components/ui/layout/stack-table";
import { chosenTarget } from "@/lib/migration/configuration/mapping-rules";
import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";
import type { FieldReport } from "@/lib/migration/report/report-schema";

/** The columns of the table in which the targets of an object's fields are chosen. */
export function mappingColumns(object: SourceObjectName): StackColumn<FieldReport>[] {
  return [
    ...SOURCE_COLUMNS,
    {
      key: "fill",
      header: "Filled",
      numeric: true,
      cell: ({ fill }) => fillInWords(fill),
    },
    {
      key: "target",
      header: "Goes to",
      cell: (field) => (
        <>
          <TargetSelect object={object} field={field} />
          <Needed object={object} field={field} />
        </>
      ),
    },
    { key: "fit", header: "Fit", cell: (field) => <Verdict object={object} field={field} /> },
    { key: "confidence", header: "Confidence", cell: (field) => <Confidence object={object} field={field} /> },
  ];
}

interface CellProps {
  object: SourceObjectName;
  field: FieldReport;
}

/** Says that every record needs the target. */
function Needed({ object, field }: CellProps) {
  const { draft } = useEditing();
  const target = chosenTarget(field, choicesFor(draft, object).fields);
  if (!isRequired(object, target)) return null;
  return (
    <Badge color="gray" size="sm" mt={4}>
      Required here
    </Badge>
  );
}

const REASONS: Record<FieldReport["confidence"], string> = {
  exact: "It means the same here.",
  likely: "It means about the same here.",
  custom: "No field here means the same.",
  unmapped: "Its content is in other fields.",
};

/** How sure the suggestion is, and why; or whose choice it is instead. */
function Confidence({ object, field }: CellProps) {
  const { draft } = useEditing();
  const { fields } = choicesFor(draft, object);
  if (fields[field.source] !== undefined) return <ChosenBadge />;
  const isDisplaced = chosenTarget(field, fields) !== field.target;
  return (
    <>
      <ConfidenceBadge confidence={isDisplaced ? "custom" : field.confidence} />
      <Text component="div" size="xs" c="dimmed" mt={4}>
        {isDisplaced ? "You gave its place to another field." : (field.note ?? REASONS[field.confidence])}
      </Text>
    </>
  );
}
