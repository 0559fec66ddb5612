import { NativeSelect, Text } from "@mantine/core";

import { formatCount, inWords } from "@/components/ui/text/format";
import { choicesFor, withValue, type FieldEditing } from "@/components/migration/configure/draft";
import classes from "@/components/migration/configure/value-map.module.css";
import { chosenTarget, suggestValue, targetValues } from "@/lib/migration/configuration/mapping-rules";
import { SOURCE_OBJECTS } from "@/lib/migration/objects/source-objects";
import type { FieldReport } from "@/lib/migration/report/report-schema";

/** For a target with fixed values: what each value of the picklist becomes, with the number of records that have it. */
export function ValueMap({ field, editing }: { field: FieldReport; editing: FieldEditing }) {
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
