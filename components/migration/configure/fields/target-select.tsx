import { NativeSelect } from "@mantine/core";

import { choicesFor, withTarget } from "@/components/migration/configure/draft/choices";
import { useEditing } from "@/components/migration/configure/draft/use-draft";
import { targetLabel } from "@/components/migration/report/findings";
import { fieldLabel } from "@/components/ui/text/format";
import { CUSTOM_FIELDS } from "@/lib/migration/configuration/custom-fields";
import { chosenTarget, possibleTargets } from "@/lib/migration/configuration/mapping-rules";
import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { SOURCE_OBJECTS } from "@/lib/migration/objects/source-objects";
import type { FieldReport } from "@/lib/migration/report/report-schema";

/** The value of the option "Leave out". No API name is empty. */
const LEFT_OUT = "";

interface TargetSelectProps {
  object: SourceObjectName;
  field: FieldReport;
}

/**
 * Chooses the target of one field. A native select, because a page has hundreds of them, and they work with every
 * keyboard and phone.
 */
export function TargetSelect({ object, field }: TargetSelectProps) {
  const { draft, isLocked, change } = useEditing();
  const now = chosenTarget(field, choicesFor(draft, object).fields);
  const targets = possibleTargets(SOURCE_OBJECTS[object]);
  const known = now === null || now === CUSTOM_FIELDS || targets.includes(now) ? targets : [now, ...targets];
  return (
    <NativeSelect
      size="xs"
      miw={170}
      aria-label={`Target of ${field.label}`}
      disabled={isLocked}
      value={now ?? LEFT_OUT}
      onChange={({ currentTarget: { value } }) =>
        change((draftNow) => withTarget(draftNow, object, field, value || null))
      }
    >
      <option value={CUSTOM_FIELDS}>Keep as a custom field</option>
      <option value={LEFT_OUT}>Leave out</option>
      <optgroup label="Fields">
        {known.map((target) => (
          <option key={target} value={target}>
            {/* The one that is chosen need not say so: the column has no room, and its confidence stands beside it. */}
            {target === field.target && target !== now ? `${targetLabel(target)} (suggested)` : fieldLabel(target)}
          </option>
        ))}
      </optgroup>
    </NativeSelect>
  );
}
