import { Code, Group, Stack, Text, TextInput, NativeSelect } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useState } from "react";

import { choicesFor, type FieldEditing, withTarget } from "@/components/migration/configure/draft";
import classes from "@/components/migration/configure/field-table.module.css";
import { ValueMap } from "@/components/migration/configure/value-map";
import { ChosenBadge, Fit, SOURCE_COLUMNS, targetLabel } from "@/components/migration/report/findings";
import { type StackColumn, StackTable } from "@/components/ui/layout/stack-table";
import { CUSTOM_FIELDS } from "@/lib/migration/configuration/configuration-schema";
import { chosenTarget, isMappable, possibleTargets } from "@/lib/migration/configuration/mapping-rules";
import { objectName } from "@/lib/migration/objects/migrated-objects";
import type { FieldReport, ObjectReport } from "@/lib/migration/report/report-schema";
import { fieldLabel } from "@/components/ui/text/format";
import { SOURCE_OBJECTS } from "@/lib/migration/objects/source-objects";

interface FieldTableProps extends FieldEditing {
  report: ObjectReport;
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

/** The value of the option "Leave out". No API name is empty. */
const LEFT_OUT = "";

/**
 * Chooses the target of one field. A native select, because a page has hundreds of them, and they work with every
 * keyboard and phone.
 */
function TargetSelect({ field, editing }: { field: FieldReport; editing: FieldEditing }) {
  const { object, draft, isLocked, onChange } = editing;
  const now = chosenTarget(field, choicesFor(draft, object).fields);
  const targets = possibleTargets(SOURCE_OBJECTS[object]);
  const known = now === null || now === CUSTOM_FIELDS || targets.includes(now) ? targets : [now, ...targets];
  return (
    <NativeSelect
      size="xs"
      miw={190}
      aria-label={`Target of ${field.label}`}
      disabled={isLocked}
      value={now ?? LEFT_OUT}
      onChange={(event) => onChange(withTarget(draft, object, field, event.currentTarget.value || null))}
    >
      <option value={CUSTOM_FIELDS}>Keep as a custom field</option>
      <option value={LEFT_OUT}>Leave out</option>
      <optgroup label="Fields">
        {known.map((target) => (
          <option key={target} value={target}>
            {target === field.target ? `${targetLabel(target)} (suggested)` : fieldLabel(target)}
          </option>
        ))}
      </optgroup>
    </NativeSelect>
  );
}
