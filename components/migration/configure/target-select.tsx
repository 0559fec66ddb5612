import { NativeSelect } from "@mantine/core";

import { choicesFor, withTarget } from "@/components/migration/configure/draft";
import type { FieldEditing } from "@/components/migration/configure/field-editing";
import { targetLabel } from "@/components/migration/field-columns";
import { fieldLabel } from "@/components/records/fields/field-label";
import { CUSTOM_FIELDS } from "@/lib/migration/configuration/configuration-schema";
import { possibleTargets, chosenTarget } from "@/lib/migration/configuration/mapping-rules";
import { SOURCE_OBJECTS } from "@/lib/migration/objects/source-objects";
import type { FieldReport } from "@/lib/migration/report/report-schema";

/** The value of the option "Leave out". No API name is empty. */
const LEFT_OUT = "";

/**
 * Chooses the target of one field. A native select, because a page has hundreds of them, and they work with every
 * keyboard and phone.
 */
export function TargetSelect({ field, editing }: { field: FieldReport; editing: FieldEditing }) {
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
