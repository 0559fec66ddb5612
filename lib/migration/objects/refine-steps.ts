import { cleanJson, type Draft, type Shape } from "@/lib/migration/objects/declaration";
import { isSalesforceId, to18 } from "@/lib/salesforce/ids";
import type { SourceRecord } from "@/lib/salesforce/query";

/** The note of a field whose column takes fixed values. */
export const VALUE_BY_VALUE = "Matched value by value; a value with another spelling is also kept as a custom field.";

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

/** The statuses here that follow from whether Salesforce has closed a record. */
interface Statuses {
  /** Those that say so, the usual one first. */
  closed: readonly [usual: string, ...others: string[]];
  /** That of an open record of which nothing else is known. */
  initial: string;
  /** That of an open record whose own status reads as the usual closed one. */
  open: string;
}

/**
 * Sets the status of a record that is closed in Salesforce if IsClosed says so: an organization names its statuses as
 * it likes, so “Pending Closure” may be open, and “Works as Designed” closed. What the status said is kept: where it
 * reads as a value of ours, as that value, by which a proof finds it. What the user has chosen for it counts.
 */
export function settleStatus(
  record: SourceRecord,
  { columns, customFields, chosen }: Draft,
  { closed, initial, open }: Statuses,
): void {
  const [usual] = closed;
  const { status } = columns;
  const isClosed = record.IsClosed === true;
  if (status === undefined) {
    columns.status = isClosed ? usual : initial;
    return;
  }
  const isWrong = isClosed ? !closed.includes(String(status)) : record.IsClosed === false && status === usual;
  if (!isWrong || chosen?.has("status")) return;
  customFields.Status ??= status;
  columns.status = isClosed ? usual : open;
}
