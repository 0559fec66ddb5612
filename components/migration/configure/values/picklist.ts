import type { ObjectConfiguration } from "@/lib/migration/configuration/configuration-schema";
import { chosenTarget, fillerOf, suggestValue, targetValues } from "@/lib/migration/configuration/mapping-rules";
import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { SOURCE_OBJECTS } from "@/lib/migration/objects/source-objects";
import type { FieldReport } from "@/lib/migration/report/report-schema";

export interface PicklistValue {
  source: string;
  /** What people see in Salesforce in place of it; null: itself. */
  label: string | null;
  /** Records that have it; null: not counted. */
  count: number | null;
  isActive: boolean;
  suggestion: string | null;
  /** What was chosen for it; null: it follows the suggestion. */
  chosen: string | null;
}

/** A picklist whose target takes fixed values. */
export interface Picklist {
  object: SourceObjectName;
  field: FieldReport;
  target: string;
  /** Whether a record's own sign that it is closed decides where nothing is chosen. */
  followsClosing: boolean;
  /** The values that the target takes. */
  options: readonly string[];
  values: PicklistValue[];
  /** What a record gets whose value has no equivalent; null: nothing. */
  filler: string | null;
  /** How many of the values that records have, or may have, have no equivalent. */
  open: number;
}

/** Null for a field whose values need no translation. */
export function picklistOf(
  object: SourceObjectName,
  field: FieldReport,
  choices: Pick<ObjectConfiguration, "fields" | "values">,
): Picklist | null {
  const target = chosenTarget(field, choices.fields);
  const options = targetValues(object, target);
  if (!options || target === null || !field.values?.length) return null;
  const values = field.values.map(({ source, label = null, count, active }) => ({
    source,
    label,
    count,
    isActive: active,
    suggestion: suggestValue(SOURCE_OBJECTS[object].resource, target, source, label),
    chosen: choices.values[field.source]?.[source] ?? null,
  }));
  const open = values.filter(isOpen).length;
  const filler = fillerOf(SOURCE_OBJECTS[object], target);
  return {
    object,
    field,
    target,
    followsClosing: followsClosing(object, field.source, target),
    options,
    values,
    filler: typeof filler === "string" ? filler : null,
    open,
  };
}

/** As the import does (`settleStatus`), unless the user has chosen the field itself. */
function followsClosing(object: SourceObjectName, source: string, target: string): boolean {
  const { ruleFields, fields } = SOURCE_OBJECTS[object];
  return target === "status" && ruleFields.includes("IsClosed") && fields[source]?.target === target;
}

/** What no record has needs no equivalent. */
function isOpen({ suggestion, chosen, count }: PicklistValue): boolean {
  return count !== 0 && suggestion === null && chosen === null;
}
