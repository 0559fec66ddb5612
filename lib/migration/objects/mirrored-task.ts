import { cleanJson } from "@/lib/migration/objects/clean-text";
import type { Draft } from "@/lib/migration/objects/declaration";
import type { SourceRecord } from "@/lib/salesforce/query";

/** Under these names an e-mail carries what only its Task says: `Task.Outcome__c`. */
const PREFIX = "Task.";

/** Of a Task's standard fields, those that are its own. Subject, text, dates, status and what it is about repeat the e-mail's. */
const OWN = new Set(["WhoId", "OwnerId", "Priority"]);

/** Of a Task's fields, those that are kept with the e-mail which it mirrors: custom fields, and the standard ones that are its own. */
export function keptFields(fields: readonly string[]): string[] {
  return fields.filter((field) => OWN.has(field) || field.endsWith("__c"));
}

/** Writes the fields of a Task into the e-mail that it mirrors. */
export function attachTask(email: SourceRecord, task: SourceRecord, fields: readonly string[]): void {
  for (const field of fields) email[PREFIX + field] = task[field];
}

/** Whom the Task of an e-mail names. */
export function whoOfTask(email: SourceRecord): unknown {
  return email[`${PREFIX}WhoId`];
}

/** Keeps what only the Task of an e-mail says, but for `placed` fields. */
export function keepTask(email: SourceRecord, draft: Draft, placed: readonly string[] = []): void {
  for (const [name, value] of Object.entries(email)) {
    if (!name.startsWith(PREFIX) || value === null || value === undefined || placed.includes(name.slice(PREFIX.length))) continue;
    draft.customFields[name] = cleanJson(value);
  }
}
