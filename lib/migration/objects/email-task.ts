import { type Alias, cleanJson, type Draft, textOf } from "@/lib/migration/objects/declaration";
import type { SourceRecord } from "@/lib/salesforce/query";

/** The prefix under which an e-mail keeps fields of its Task: `Task.Outcome__c`. */
const TASK_PREFIX = "Task.";

/** The contact or lead of the Task of an e-mail. */
export const WHO_OF_TASK = `${TASK_PREFIX}WhoId`;

/**
 * The fields of a Task that link its e-mail, too. The account is that of the record that the e-mail is about, or of the
 * contact: e-mails name none.
 */
const LINKS_OF_TASK = ["WhoId", "AccountId"];

/** Whether the Task of an e-mail links it by this field. */
export function linksEmail(field: string): boolean {
  return LINKS_OF_TASK.includes(field);
}

/** The links of an e-mail that its Task has, by their fields. */
export function linksOfTask(email: SourceRecord): SourceRecord {
  return Object.fromEntries(LINKS_OF_TASK.map((field) => [field, email[TASK_PREFIX + field]]));
}

/** Tells whether a Task only repeats its e-mail. */
export const IS_CLOSED = "IsClosed";

/** Under this name an e-mail has that its Task is open, or gone; not that it is closed. */
const TASK_STATE = "taskState";

/**
 * The Task of an e-mail, and whether it only repeats the e-mail. Enhanced Email makes closed ones. Email-to-Case makes
 * an open one for the owner of the case (Object Reference, EmailMessage, "ActivityId"), which is a record of its own
 * until it is done. Null for one that is gone: its activity is deleted as any record that Salesforce has deleted.
 */
export function aliasOfEmail(email: SourceRecord): Alias | null {
  const extId = textOf(email, "ActivityId");
  const state = email[TASK_STATE];
  return extId === null || state === "gone" ? null : { extId, isCopy: state !== "open" };
}

/** What a Task is given beside the id of its record type. */
const RECORD_TYPE_NAME = "RecordType.Name";

/**
 * The standard fields of a Task that its e-mail lacks. Subject, text, dates, status and relations repeat the e-mail's.
 */
const OWN_FIELDS = new Set([
  ...LINKS_OF_TASK,
  "OwnerId",
  "Priority",
  "Type",
  "RecordTypeId",
  RECORD_TYPE_NAME,
  "CallDisposition",
]);

/** A custom field, or a part of a custom geolocation: `Place__Latitude__s`. */
const CUSTOM = /__[cs]$/;

/** The fields of a Task that are kept with its e-mail: custom fields, and standard fields that the e-mail lacks. */
export function taskFieldsToKeep(fields: readonly string[]): string[] {
  return fields.filter((field) => OWN_FIELDS.has(field) || CUSTOM.test(field));
}

/** The custom fields of an e-mail that come from its Task, of which these fields are read. */
export function customFieldsOfTask(fields: readonly string[]): string[] {
  return fields.flatMap((field) => (linksEmail(field) ? [TASK_PREFIX + field, field] : [TASK_PREFIX + field]));
}

/** Copies fields of a Task to its e-mail, and the name of its record type; of an open one, the links alone. */
export function attachTaskFields(
  email: SourceRecord,
  task: SourceRecord,
  fields: readonly string[],
  recordTypes: ReadonlyMap<string, string>,
): void {
  const isOpen = task[IS_CLOSED] === false;
  if (isOpen) email[TASK_STATE] = "open";
  for (const field of fields) if (!isOpen || linksEmail(field)) email[TASK_PREFIX + field] = task[field];
  const recordType = recordTypes.get(String(email[`${TASK_PREFIX}RecordTypeId`]));
  if (recordType !== undefined) email[TASK_PREFIX + RECORD_TYPE_NAME] = recordType;
}

/** Notes of an e-mail that its Task was deleted in the source, or is hidden from the Salesforce user. */
export function noteGoneTask(email: SourceRecord): void {
  email[TASK_STATE] = "gone";
}

/** Keeps the fields that come from the Task of an e-mail; its links only if they are no links here. */
export function keepTaskFields(email: SourceRecord, draft: Draft, areLinked: boolean): void {
  for (const [name, value] of Object.entries(email)) {
    if (
      !name.startsWith(TASK_PREFIX) ||
      value === null ||
      value === undefined ||
      (areLinked && linksEmail(name.slice(TASK_PREFIX.length)))
    )
      continue;
    draft.customFields[name] = cleanJson(value);
  }
}
