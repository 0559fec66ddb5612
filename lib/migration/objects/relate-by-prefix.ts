import { cleanJson, type Draft, type Shape } from "@/lib/migration/objects/declaration";
import { isSalesforceId, to18 } from "@/lib/salesforce/ids";
import type { SourceRecord } from "@/lib/salesforce/query";

/** Fills the reference columns of `relations`, see `Shape`. What is no id of their objects is a custom field. */
export function relateByPrefix(record: SourceRecord, draft: Draft, relations: NonNullable<Shape["relations"]>): void {
  for (const [field, columns] of Object.entries(relations)) {
    const value = record[field];
    if (value === null || value === undefined) continue;
    const column = typeof value === "string" && isSalesforceId(value) ? columns[value.slice(0, 3)] : undefined;
    if (column) draft.references[column] = { extId: to18(String(value)), from: field };
    else draft.customFields[field] = cleanJson(value);
  }
}
