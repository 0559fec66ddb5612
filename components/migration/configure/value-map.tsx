import { NativeSelect, Text } from "@mantine/core";

import { formatCount } from "@/components/ui/text/format";
import { choicesFor, optionsFor, suggestedValue, withValue } from "@/components/migration/configure/draft";
import type { FieldEditing } from "@/components/migration/configure/field-editing";
import classes from "@/components/migration/configure/value-map.module.css";
import { inWords } from "@/components/records/fields/field-label";
import { chosenTarget } from "@/lib/migration/configuration/mapping-rules";
import type { FieldReport } from "@/lib/migration/report/report-schema";

/** For a target with fixed values: what each value of the picklist becomes, with the records that hold it. */
export function ValueMap({ field, editing }: { field: FieldReport; editing: FieldEditing }) {
  const { object, draft, isLocked, onChange } = editing;
  const choices = choicesFor(draft, object);
  const target = chosenTarget(field, choices.fields);
  const options = optionsFor(object, target);
  if (!options || !target || !field.values?.length) return null;
  return (
    <>
      <ul className={classes.values} aria-label={`Values of ${field.label}`}>
        {field.values.map((value) => {
          const suggestion = suggestedValue(object, target, value.source);
          return (
            <li key={value.source}>
              <span className={classes.source}>
                {value.source}
                <Text component="span" size="xs" c="dimmed" display="block">
                  {[value.count !== null && formatCount(value.count, "record"), !value.active && "inactive"]
                    .filter(Boolean)
                    .join(", ")}
                </Text>
              </span>
              <NativeSelect
                size="xs"
                aria-label={`${field.label} “${value.source}” becomes`}
                disabled={isLocked}
                value={choices.values[field.source]?.[value.source] ?? ""}
                onChange={(event) =>
                  onChange(withValue(draft, object, field.source, value.source, event.currentTarget.value))
                }
              >
                <option value="">
                  {suggestion ? `${inWords(suggestion)} (suggested)` : "Usual value, original kept"}
                </option>
                {options
                  .filter((option) => option !== suggestion)
                  .map((option) => (
                    <option key={option} value={option}>
                      {inWords(option)}
                    </option>
                  ))}
              </NativeSelect>
            </li>
          );
        })}
      </ul>
      {field.more_values !== undefined && (
        <Text size="xs" c="dimmed">
          And {formatCount(field.more_values, "more value")}, which fewer records hold. Each becomes what is suggested
          for it, or the usual value with the original kept.
        </Text>
      )}
    </>
  );
}
