import { cleanJson, type Draft } from "@/lib/migration/objects/declaration";
import type { SourceRecord } from "@/lib/salesforce/query";

/** The custom fields with what another object of the source has of a record, and with the number of those beyond. */
export function fieldsOfList(name: string): readonly [list: string, more: string] {
  return [name, `${name}.More`];
}

/** Sets a list of which at most so many items are kept. Those beyond are counted. */
export function setList(fields: SourceRecord, name: string, items: readonly unknown[], most: number): void {
  const [list, more] = fieldsOfList(name);
  fields[list] = items.slice(0, most).map(cleanJson);
  if (items.length > most) fields[more] = items.length - most;
}

/** Keeps a list of a source record in `custom_fields`. */
export function keepList(record: SourceRecord, name: string, draft: Draft): void {
  for (const field of fieldsOfList(name)) if (record[field] !== undefined) draft.customFields[field] = record[field];
}
