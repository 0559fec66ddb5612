import { CUSTOM_FIELDS } from "@/lib/migration/configuration/custom-fields";
import { keepPeople } from "@/lib/migration/objects/activity-people";
import { EMAIL_RELATIONS, relateActivity } from "@/lib/migration/objects/activities";
import {
  type Draft,
  exact,
  likely,
  type People,
  type Shape,
  type SourceObject,
  textOf,
} from "@/lib/migration/objects/declaration";
import { aliasOfEmail, keepTaskFields, linksOfTask, WHO_OF_TASK } from "@/lib/migration/objects/email-task";
import { keepFiles } from "@/lib/migration/objects/entry-files";
import { htmlToText } from "@/lib/migration/objects/html-to-text";
import { KEY_PREFIXES, objectOf } from "@/lib/migration/objects/key-prefixes";
import type { SourceRecord } from "@/lib/salesforce/query";

/** Whether an e-mail is a draft, by its status (Object Reference, EmailMessage, "Status"). */
function isDraft({ Status }: SourceRecord): boolean {
  return Status === "5";
}

/** The case of an e-mail: ParentId, or RelatedToId if that names a case. */
function caseOf(record: SourceRecord): { extId: string; from: string } | null {
  const parent = textOf(record, "ParentId");
  if (parent) return { extId: parent, from: "ParentId" };
  const related = textOf(record, "RelatedToId");
  return related && objectOf(related) === "Case" ? { extId: related, from: "RelatedToId" } : null;
}

/** Where the Salesforce user may not see one of the fields, an e-mail that is in a thread here must not leave it. */
function isCaseRead({ ParentId, RelatedToId }: SourceRecord): boolean {
  return ParentId !== undefined && RelatedToId !== undefined;
}

const BODY_FIELDS = ["TextBody", "HtmlBody"];

/** The text of an e-mail; of an e-mail with HTML only, the text of that. The HTML is kept in `custom_fields`. */
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
  hideDraft(record, draft);
  const parent = caseOf(record);
  if (parent) draft.references.case_id = parent;
  draft.columns.kind = record.Incoming === true ? "email_inbound" : "email_outbound";
  draft.columns.body = bodyOf(record);
  draft.columns.author_name = textOf(record, "FromName") ?? textOf(record, "FromAddress");
  draft.columns.author_id = sentBy(record, people);
  const related = textOf(record, "RelatedToId");
  if (related && related !== parent?.extId) draft.customFields.RelatedToId = related;
  keepFiles(record, draft);
  keepPeople("EmailMessage", record, draft);
  keepTaskFields(record, draft, false);
}

/** A draft was sent to nobody, however visible it will be once it is sent: that is its default. */
function hideDraft(record: SourceRecord, { columns, customFields }: Draft): void {
  if (!isDraft(record) || columns.is_public !== true) return;
  columns.is_public = false;
  customFields.IsExternallyVisible ??= true;
}

function refineActivity(record: SourceRecord, draft: Draft): void {
  draft.columns.type = "email";
  draft.columns.status = isDraft(record) ? "not_started" : "completed";
  draft.columns.description = bodyOf(record);
  keepFiles(record, draft);
  keepPeople("EmailMessage", record, draft);
  relateActivity({ ...record, ...linksOfTask(record) }, draft);
  keepTaskFields(record, draft, true);
  relateSender(record, draft);
  if (record.Incoming !== undefined) draft.customFields.Incoming = record.Incoming;
}

/** The sender stands in for a contact or lead that the Task does not name. */
function relateSender(record: SourceRecord, { references }: Draft): void {
  if (references.contact_id || references.lead_id) return;
  const sender = textOf(record, "FromId");
  const column = sender && EMAIL_RELATIONS.FromId[sender.slice(0, 3)];
  if (column) references[column] = { extId: sender, from: "FromId" };
}

/** E-mails without a case belong to an account, a contact or an opportunity, and become activities. */
const activityShape: Shape = {
  resource: "activities",
  fields: { Subject: exact("subject") },
  fixed: {
    TextBody: exact("description"),
    RelatedToId: likely("account_id", ""),
    Incoming: likely(CUSTOM_FIELDS, ""),
  },
  relations: EMAIL_RELATIONS,
  placeholders: { subject: "(no subject)" },
  computed: {
    // Not also of the Task: where Tasks are hidden, an e-mail could no longer follow RelatedToId to another account.
    account_id: ["RelatedToId"],
    contact_id: ["FromId", WHO_OF_TASK],
    case_id: ["RelatedToId"],
    opportunity_id: ["RelatedToId"],
    lead_id: ["FromId", WHO_OF_TASK],
    type: [],
    status: ["Status"],
    description: BODY_FIELDS,
  },
  createdFrom: "MessageDate",
  refine: refineActivity,
  aliasOf: aliasOfEmail,
};

export const emailMessage: SourceObject = {
  name: "EmailMessage",
  label: "e-mail",
  resource: "case_comments",
  fields: { IsExternallyVisible: exact("is_public") },
  fixed: {
    ParentId: exact("case_id", "An e-mail that belongs to no case becomes an activity."),
    RelatedToId: likely("case_id", "If it points at a case; otherwise kept as a custom field."),
    TextBody: exact("body", "If there is none, the text of HtmlBody."),
    Incoming: likely("kind", "email_inbound or email_outbound."),
    FromName: exact("author_name", "If there is none, FromAddress."),
    MessageDate: exact("created_at", "The thread is ordered by it. CreatedDate is kept as a custom field."),
  },
  relations: { ParentId: { [KEY_PREFIXES.Case]: "case_id" }, RelatedToId: { [KEY_PREFIXES.Case]: "case_id" } },
  placeholders: { body: "(no text)" },
  computed: {
    case_id: ["ParentId", "RelatedToId"],
    kind: ["Incoming"],
    body: BODY_FIELDS,
    author_name: ["FromName", "FromAddress"],
    author_id: ["FromId", "CreatedById"],
  },
  ignoredFields: [],
  ruleFields: ["ActivityId", "HasAttachment"],
  createdFrom: "MessageDate",
  refine: refineThreadEntry,
  aliasOf: aliasOfEmail,
  alternative: { applies: (record) => isCaseRead(record) && caseOf(record) === null, shape: activityShape },
};
