import { Code, Group, Stack, Text, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useState } from "react";

import { choicesFor } from "@/components/migration/configure/draft";
import type { FieldEditing } from "@/components/migration/configure/field-editing";
import classes from "@/components/migration/configure/field-table.module.css";
import { TargetSelect } from "@/components/migration/configure/target-select";
import { ValueMap } from "@/components/migration/configure/value-map";
import { ChosenBadge, Fit, SOURCE_COLUMNS } from "@/components/migration/field-columns";
import { type StackColumn, StackTable } from "@/components/ui/layout/stack-table";
import type { Configuration } from "@/lib/migration/configuration/configuration-schema";
import { chosenTarget, isMappable } from "@/lib/migration/configuration/mapping-rules";
import { objectName, type MigratedObjectName } from "@/lib/migration/objects/migrated-objects";
import type { FieldReport, ObjectReport } from "@/lib/migration/report/report-schema";

interface FieldTableProps {
  object: MigratedObjectName;
  report: ObjectReport;
  draft: Configuration;
  isLocked: boolean;
  onChange: (draft: Configuration) => void;
}

/** The fields of one object whose target can be chosen. */
export function FieldTable({ object, report, draft, isLocked, onChange }: FieldTableProps) {
  const [search, setSearch] = useState("");
  const mappable = report.fields.filter((field) => isMappable(object, field));
  const searched = search.trim().toLowerCase();
  const rows = mappable.filter((field) => `${field.label} ${field.source}`.toLowerCase().includes(searched));
  const fixed = report.fields.length - mappable.length;
  return (
    <Stack gap="xs" className={classes.panel}>
      <Group justify="space-between">
        <TextInput
          size="xs"
          aria-label={`Find a field of ${objectName(object)}`}
          placeholder="Find a field"
          leftSection={<IconSearch size={14} aria-hidden />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        {fixed > 0 && (
          <Text size="xs" c="dimmed">
            {fixed} more, such as <Code fz="inherit">Id</Code> and <Code fz="inherit">CreatedDate</Code>, have a fixed
            target; the report shows them.
          </Text>
        )}
      </Group>
      <StackTable
        caption={`Fields of ${objectName(object)}`}
        columns={fieldColumns({ object, draft, isLocked, onChange })}
        rows={rows}
        rowKey={(field) => field.source}
      />
      {rows.length === 0 && (
        <Text size="sm" c="dimmed" py="sm">
          No field has “{search}” in its name.
        </Text>
      )}
    </Stack>
  );
}

/** The columns of the table in which the user chooses targets. */
function fieldColumns(editing: FieldEditing): StackColumn<FieldReport>[] {
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
