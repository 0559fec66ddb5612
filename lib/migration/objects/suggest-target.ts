import type { Mapping, SourceField, SourceObject } from "@/lib/migration/objects/declaration";
import { isRead, RECORD_FIELDS } from "@/lib/migration/objects/system-fields";

export interface TargetSuggestion {
  /** A field of the record, `custom_fields`, or null: left out. */
  target: string | null;
  confidence: "exact" | "likely" | "custom" | "unmapped";
  note: string | null;
  /** False where the user cannot choose another target. */
  mappable: boolean;
}

/** Where a field of the source goes unless the user says otherwise. The report shows it and the import follows it. */
export function suggestTarget(object: SourceObject, field: SourceField): TargetSuggestion {
  if (!isRead(field, object.leftOut))
    return { target: null, confidence: "unmapped", note: "Says nothing that another field does not say.", mappable: false };
  const fixed: Mapping | undefined = (RECORD_FIELDS as Record<string, Mapping>)[field.name] ?? object.ruled[field.name];
  if (fixed) return { target: fixed.target, confidence: fixed.confidence, note: fixed.note ?? null, mappable: false };
  const mapping = object.fields[field.name];
  if (mapping) return { target: mapping.target, confidence: mapping.confidence, note: mapping.note ?? null, mappable: true };
  return { target: "custom_fields", confidence: "custom", note: null, mappable: true };
}
