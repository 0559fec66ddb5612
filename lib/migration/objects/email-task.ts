import { cleanJson, type Draft } from "@/lib/migration/objects/declaration";
import type { SourceRecord } from "@/lib/salesforce/query";

/** The prefix under which an e-mail keeps fields of its Task: `Task.Outcome__c`. */
const TASK_PREFIX = "Task.";

/** The contact or lead of the Task of an e-mail. */
export const WHO_OF_TASK = `${TASK_PREFIX}WhoId`;

/**
 * The standard fields of a Task that its e-mail lacks. Subject, text, dates, status and relations repeat the e-mail's.
 */
const OWN_FIELDS = new Set(["WhoId", "OwnerId", "Priority"]);

/** The fields of a Task that are kept with its e-mail: custom fields, and standard fields that the e-mail lacks. */
export function taskFieldsToKeep(fields: readonly string[]): string[] {
  return fields.filter((field) => OWN_FIELDS.has(field) || field.endsWith("__c"));
}

/** The custom fields of an e-mail that come from its Task, of which these fields are read. */
export function customFieldsOfTask(fields: readonly string[]): string[] {
  return fields.flatMap((field) => (field === "WhoId" ? [WHO_OF_TASK, field] : [TASK_PREFIX + field]));
}

/** Copies fields of a Task to its e-mail. */
export function attachTaskFields(email: SourceRecord, task: SourceRecord, fields: readonly string[]): void {
  for (const field of fields) email[TASK_PREFIX + field] = task[field];
}

/** Keeps the fields that come from the Task of an e-mail, except those in `placed`. */
export function keepTaskFields(email: SourceRecord, draft: Draft, placed: readonly string[] = []): void {
  for (const [name, value] of Object.entries(email)) {
    if (
      !name.startsWith(TASK_PREFIX) ||
      value === null ||
      value === undefined ||
      placed.includes(name.slice(TASK_PREFIX.length))
    )
      continue;
    draft.customFields[name] = cleanJson(value);
  }
}
