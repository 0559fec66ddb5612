import { Code, Group, Stack, Text, TextInput, NativeSelect } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useState } from "react";

import { choicesFor, type FieldEditing, withTarget, withValue } from "@/components/migration/configure/draft";
import classes from "@/components/migration/configure/field-table.module.css";
import { ChosenBadge, Fit, SOURCE_COLUMNS, targetLabel } from "@/components/migration/report/findings";
import { type StackColumn, StackTable } from "@/components/ui/layout/stack-table";
import { CUSTOM_FIELDS } from "@/lib/migration/configuration/configuration-schema";
import {
  chosenTarget,
  isMappable,
  possibleTargets,
  suggestValue,
  targetValues,
} from "@/lib/migration/configuration/mapping-rules";
import { objectName } from "@/lib/migration/objects/migrated-objects";
import type { FieldReport, ObjectReport } from "@/lib/migration/report/report-schema";
import { fieldLabel, formatCount, inWords } from "@/components/ui/text/format";
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

/** For a target with fixed values: what each value of the picklist becomes, with the number of records that have it. */
function ValueMap({ field, editing }: { field: FieldReport; editing: FieldEditing }) {
  const { object, draft } = editing;
  const target = chosenTarget(field, choicesFor(draft, object).fields);
  const options = targetValues(object, target);
  if (!options || !target || !field.values?.length) return null;
  const { resource } = SOURCE_OBJECTS[object];
  return (
    <>
      <ul className={classes.values} aria-label={`Values of ${field.label}`}>
        {field.values.map((value) => (
          <li key={value.source}>
            <SourceValue value={value} />
            <ValueSelect
              field={field}
              value={value.source}
              suggestion={suggestValue(resource, target, value.source)}
              options={options}
              editing={editing}
            />
          </li>
        ))}
      </ul>
      {field.more_values !== undefined && (
        <Text size="xs" c="dimmed">
          And {formatCount(field.more_values, "more value")}, which fewer records have. Each becomes what is suggested
          for it, or the usual value with the original kept.
        </Text>
      )}
    </>
  );
}

function SourceValue({ value: { source, count, active } }: { value: NonNullable<FieldReport["values"]>[number] }) {
  const notes = [count !== null && formatCount(count, "record"), !active && "inactive"];
  return (
    <span className={classes.source}>
      {source}
      <Text component="span" size="xs" c="dimmed" display="block">
        {notes.filter(Boolean).join(", ")}
      </Text>
    </span>
  );
}

interface ValueSelectProps {
  field: FieldReport;
  value: string;
  suggestion: string | null;
  options: readonly string[];
  editing: FieldEditing;
}

function ValueSelect({ field, value, suggestion, options, editing }: ValueSelectProps) {
  const { object, draft, isLocked, onChange } = editing;
  return (
    <NativeSelect
      size="xs"
      aria-label={`${field.label} “${value}” becomes`}
      disabled={isLocked}
      value={choicesFor(draft, object).values[field.source]?.[value] ?? ""}
      onChange={(event) => onChange(withValue(draft, object, field.source, value, event.currentTarget.value))}
    >
      <option value="">{suggestion ? `${inWords(suggestion)} (suggested)` : "Usual value, original kept"}</option>
      {options
        .filter((option) => option !== suggestion)
        .map((option) => (
          <option key={option} value={option}>
            {inWords(option)}
          </option>
        ))}
    </NativeSelect>
  );
}
