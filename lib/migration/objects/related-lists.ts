import { cleanJson, type Draft } from "@/lib/migration/objects/declaration";
import type { SourceRecord } from "@/lib/salesforce/query";

/** All custom fields of a record may have 131,072 characters together (write-rules.ts). This leaves room for others. */
const MAX_CHARACTERS = 100_000;

/** The custom fields with what another object of the source has of a record, and with the number of those beyond. */
export function fieldsOfList(name: string): readonly [list: string, more: string] {
  return [name, `${name}.More`];
}

/** Sets a list of which at most so many items, and characters, are kept. Those beyond are counted. */
export function setList(fields: SourceRecord, name: string, items: readonly unknown[], most = Infinity): void {
  const [list, more] = fieldsOfList(name);
  const kept: unknown[] = [];
  let characters = 0;
  for (const item of items.slice(0, most)) {
    characters += JSON.stringify(item).length + 1;
    if (characters > MAX_CHARACTERS) break;
    kept.push(cleanJson(item));
  }
  fields[list] = kept;
  if (kept.length < items.length) fields[more] = items.length - kept.length;
}

/** Keeps a list of a source record in `custom_fields`. */
export function keepList(record: SourceRecord, name: string, draft: Draft): void {
  for (const field of fieldsOfList(name)) if (record[field] !== undefined) draft.customFields[field] = record[field];
}
