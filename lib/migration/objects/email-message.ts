import { CUSTOM_FIELDS } from "@/lib/migration/configuration/configuration-schema";
import { RELATION_COLUMNS, relateActivity } from "@/lib/migration/objects/activities";
import {
  type Draft,
  exact,
  likely,
  type People,
  type Shape,
  type SourceObject,
  textOf,
  cleanJson,
} from "@/lib/migration/objects/declaration";
import { htmlToText } from "@/lib/migration/objects/html-to-text";
import type { SourceRecord } from "@/lib/salesforce/query";

const DRAFT = "5";

/** The case that an e-mail belongs to: ParentId, or RelatedToId where that points at a case. */
function caseOf(record: SourceRecord): { extId: string; from: string } | null {
  const parent = textOf(record, "ParentId");
  if (parent) return { extId: parent, from: "ParentId" };
  const related = textOf(record, "RelatedToId");
  return related?.startsWith("500") ? { extId: related, from: "RelatedToId" } : null;
}

/** The text of an e-mail that has none but HTML. The HTML itself is kept in `custom_fields`. */
function bodyOf(record: SourceRecord): string | null {
  const html = textOf(record, "HtmlBody");
  return textOf(record, "TextBody") ?? (html && (htmlToText(html) || null));
}

function sentBy(record: SourceRecord, people: People): string | null {
  if (record.Incoming === true) return null;
  const sender = textOf(record, "FromId") ?? textOf(record, "CreatedById");
  return sender && people.memberOf(sender);
}

function refineThreadEntry(record: SourceRecord, draft: Draft, people: People): void {
  const parent = caseOf(record);
  if (parent) draft.references.case_id = parent;
  draft.columns.kind = record.Incoming === true ? "email_inbound" : "email_outbound";
  draft.columns.body = bodyOf(record);
  draft.columns.author_name = textOf(record, "FromName") ?? textOf(record, "FromAddress");
  draft.columns.author_id = sentBy(record, people);
  const related = textOf(record, "RelatedToId");
  if (related && related !== parent?.extId) draft.customFields.RelatedToId = related;
  keepTaskFields(record, draft);
}

function refineActivity(record: SourceRecord, draft: Draft): void {
  const isDraft = record.Status === DRAFT;
  draft.columns.type = "email";
  draft.columns.status = isDraft ? "not_started" : "completed";
  draft.columns.description = bodyOf(record);
  relateActivity({ ...record, WhoId: whoOfTask(record) }, draft);
  keepTaskFields(record, draft, ["WhoId"]);
  const sender = textOf(record, "FromId");
  if (sender?.startsWith("003") && !draft.references.contact_id)
    draft.references.contact_id = { extId: sender, from: "FromId" };
  if (record.Incoming !== undefined) draft.customFields.Incoming = record.Incoming;
}

const aliasOf = (record: SourceRecord) => textOf(record, "ActivityId");

/** E-mails outside of cases belong to an account, a contact or an opportunity, and become activities. */
const activityShape: Shape = {
  resource: "activities",
  fields: { Subject: exact("subject") },
  fixed: {
    TextBody: exact("description"),
    RelatedToId: likely("account_id", ""),
    Incoming: likely(CUSTOM_FIELDS, ""),
  },
  placeholders: { subject: "(no subject)" },
  computed: [...RELATION_COLUMNS, "type", "status", "description"],
  createdFrom: "MessageDate",
  refine: refineActivity,
  aliasOf,
};

export const emailMessage: SourceObject = {
  name: "EmailMessage",
  label: "e-mail",
  resource: "case_comments",
  fields: { IsExternallyVisible: exact("is_public") },
  fixed: {
    ParentId: exact("case_id", "An e-mail that belongs to no case becomes an activity."),
    RelatedToId: likely("case_id", "Where it points at a case; else kept as a custom field."),
    TextBody: exact("body", "Where there is none, the text of HtmlBody."),
    Incoming: likely("kind", "email_inbound or email_outbound."),
    FromName: exact("author_name", "Where there is none, FromAddress."),
    MessageDate: exact("created_at", "The thread is ordered by it. CreatedDate is kept as a custom field."),
  },
  placeholders: { body: "(no text)" },
  computed: ["case_id", "kind", "body", "author_name", "author_id"],
  ignoredFields: [],
  createdFrom: "MessageDate",
  refine: refineThreadEntry,
  aliasOf,
  alternative: { applies: (record) => caseOf(record) === null, shape: activityShape },
};

/** Under these names an e-mail carries what only its Task says: `Task.Outcome__c`. */
const TASK_PREFIX = "Task.";

/**
 * Of a Task's standard fields, those that are its own. Subject, text, dates, status and what it is about repeat the
 * e-mail's.
 */
const OWN_FIELDS = new Set(["WhoId", "OwnerId", "Priority"]);

/**
 * Of a Task's fields, those that are kept with the e-mail which it mirrors: custom fields, and the standard ones that
 * are its own.
 */
export function taskFieldsToKeep(fields: readonly string[]): string[] {
  return fields.filter((field) => OWN_FIELDS.has(field) || field.endsWith("__c"));
}

/** Writes the fields of a Task into the e-mail that it mirrors. */
export function attachTaskFields(email: SourceRecord, task: SourceRecord, fields: readonly string[]): void {
  for (const field of fields) email[TASK_PREFIX + field] = task[field];
}

/** Whom the Task of an e-mail names. */
function whoOfTask(email: SourceRecord): unknown {
  return email[`${TASK_PREFIX}WhoId`];
}

/** Keeps what only the Task of an e-mail says, but for `placed` fields. */
function keepTaskFields(email: SourceRecord, draft: Draft, placed: readonly string[] = []): void {
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
