import { CUSTOM_FIELDS } from "@/lib/migration/objects/target-of";
import type { FieldReport } from "@/lib/migration/schemas";

/** How many fields the suggestions keep, and how many of those as custom fields. */
export function countKept(fields: readonly FieldReport[]): { kept: number; custom: number } {
  const kept = fields.filter(({ target }) => target !== null);
  return { kept: kept.length, custom: kept.filter(({ target }) => target === CUSTOM_FIELDS).length };
}

/** "40 of 44 fields are kept, 21 of them as custom fields": said the same wherever fields are summed up. */
export function summarizeFields(fields: readonly FieldReport[]): string {
  const { kept, custom } = countKept(fields);
  const total = `${fields.length} ${fields.length === 1 ? "field" : "fields"}`;
  const sum = kept === fields.length ? `All ${total} are kept` : `${kept} of ${total} are kept`;
  return custom === 0 ? sum : `${sum}, ${custom === 1 ? "1 as a custom field" : `${custom} of them as custom fields`}`;
}
