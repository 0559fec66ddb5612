import { keepPeople } from "@/lib/migration/objects/activity-people";
import {
  cleanJson,
  type Draft,
  likely,
  type Mapping,
  textOf,
  type Skip,
  exact,
  type SourceObject,
} from "@/lib/migration/objects/declaration";
import { KEY_PREFIXES } from "@/lib/migration/objects/key-prefixes";
import { settleStatus, VALUE_BY_VALUE } from "@/lib/migration/objects/refine-steps";
import type { SourceRecord } from "@/lib/salesforce/query";

const WHO: Record<string, string> = { [KEY_PREFIXES.Contact]: "contact_id", [KEY_PREFIXES.Lead]: "lead_id" };

const WHAT: Record<string, string> = {
  [KEY_PREFIXES.Account]: "account_id",
  [KEY_PREFIXES.Case]: "case_id",
  [KEY_PREFIXES.Opportunity]: "opportunity_id",
};

const KEPT_NOTE =
  "Depends on the record that it points at; the id of one that is not imported is kept as a custom field.";

/** The relations of a task or event, by field and key prefix. */
const RELATIONS = { WhoId: WHO, WhatId: WHAT, AccountId: { [KEY_PREFIXES.Account]: "account_id" } };

const RELATION_COLUMNS = {
  account_id: ["WhatId", "AccountId"],
  contact_id: ["WhoId"],
  case_id: ["WhatId"],
  opportunity_id: ["WhatId"],
  lead_id: ["WhoId"],
};

/** The relations of an e-mail without a case. WhoId and AccountId are those of its Task. */
export const EMAIL_RELATIONS = { WhoId: WHO, RelatedToId: WHAT, FromId: WHO, AccountId: RELATIONS.AccountId };

const RELATION_FIELDS: Record<string, Mapping> = {
  WhoId: likely("contact_id", `Contact or lead. ${KEPT_NOTE}`),
  WhatId: likely("account_id", `Account, case or opportunity. ${KEPT_NOTE}`),
  AccountId: likely(
    "account_id",
    "The account of the contact or case, if the activity names none itself, or one that is not imported.",
  ),
};

/**
 * Adds a reference to the record that `field` names, by the key prefix of its id. Ids of other objects are kept in
 * `custom_fields`, and so is the id of a second record for the same column, which is the fallback if the first does not
 * exist.
 */
function relate(record: SourceRecord, draft: Draft, field: string, columns: Record<string, string>): void {
  const extId = textOf(record, field);
  if (!extId) return;
  const column = columns[extId.slice(0, 3)];
  const first = column === undefined ? undefined : draft.references[column];
  if (column && !first) draft.references[column] = { extId, from: field };
  else if (first?.extId !== extId) draft.customFields[field] = extId;
  if (first && first.extId !== extId) first.fallback ??= { extId, from: field };
}

/**
 * Relates an activity by WhoId, WhatId (RelatedToId of an e-mail) and the account that Salesforce derives from them.
 */
export function relateActivity(record: SourceRecord, draft: Draft): void {
  relate(record, draft, "WhoId", WHO);
  relate(record, draft, "WhatId", WHAT);
  relate(record, draft, "RelatedToId", WHAT);
  relate(record, draft, "AccountId", RELATIONS.AccountId);
}

const HAS_OCCURRENCES = "hasOccurrences";

/** Whether a record is the pattern of a recurring series. */
export function isRecurrencePattern(record: SourceRecord): boolean {
  return record.IsRecurrence === true;
}

/** Marks a pattern of which occurrences are imported. */
export function markHasOccurrences(pattern: SourceRecord): void {
  pattern[HAS_OCCURRENCES] = true;
}

/**
 * Skips a pattern whose occurrences are imported: each of those is a record (Salesforce Object Reference, Task and
 * Event).
 */
function skipPattern(record: SourceRecord): Skip | null {
  if (!isRecurrencePattern(record) || record[HAS_OCCURRENCES] !== true) return null;
  return {
    code: "recurrence_series",
    reason: "This is the pattern of a recurring series. Its occurrences are separate records and are imported instead.",
    field: "IsRecurrence",
    value: "true",
  };
}

export const task: SourceObject = {
  name: "Task",
  label: "task",
  resource: "activities",
  fields: {
    Subject: exact("subject"),
    Description: exact("description"),
    TaskSubtype: likely("type", "Task, call or e-mail; another kind becomes a task and is kept as a custom field."),
    Status: likely(
      "status",
      `${VALUE_BY_VALUE} A closed task is completed or cancelled, an open one is not completed.`,
    ),
    Priority: likely("priority", VALUE_BY_VALUE),
    ActivityDate: exact("due_date"),
    CompletedDateTime: exact("completed_at"),
  },
  fixed: {
    ...RELATION_FIELDS,
    CallDurationInSeconds: likely("duration_minutes", "Rounded to minutes; the seconds are kept as a custom field."),
  },
  relations: RELATIONS,
  placeholders: { subject: "(no subject)", type: "task", status: "not_started" },
  computed: { ...RELATION_COLUMNS, duration_minutes: ["CallDurationInSeconds"] },
  ignoredFields: [],
  ruleFields: ["IsRecurrence", "IsClosed", "WhoCount"],
  skip: skipPattern,
  refine(record, draft) {
    relateActivity(record, draft);
    keepPeople("Task", record, draft);
    settleStatus(record, draft, { closed: ["completed", "cancelled"], initial: "not_started", open: "not_started" });
    const seconds = record.CallDurationInSeconds;
    if (typeof seconds !== "number") return;
    draft.columns.duration_minutes = Math.round(seconds / 60);
    draft.customFields.CallDurationInSeconds = seconds;
  },
};

/** Skips the copies that invitees have of a group event. The record of the organizer is the event. */
function inviteeCopy(record: SourceRecord): Skip | null {
  if (record.IsChild !== true) return null;
  return {
    code: "invitee_copy",
    reason:
      "This is an invitee's copy of a group event. The event itself is the organizer's record, which is imported " +
      "if the Salesforce user can read it.",
    field: "IsChild",
    value: "true",
  };
}

const ALL_DAY_NOTE = "Of an all-day event it is kept as a custom field, because it stands for a day.";

const MOMENTS = { start_at: "StartDateTime", end_at: "EndDateTime" };

/**
 * Keeps the moments of an all-day event as custom fields. They stand for days: midnights in UTC, which are the evening
 * before west of it, and Salesforce does not convert them (Object Reference, Event, "ActivityDate").
 */
function keepDays(record: SourceRecord, draft: Draft): void {
  if (record.IsAllDayEvent !== true) return;
  for (const [column, field] of Object.entries(MOMENTS)) {
    const moment = draft.columns[column];
    // The user may have chosen another field for the column.
    if (moment === undefined || Date.parse(String(moment)) !== Date.parse(String(record[field]))) continue;
    // An event whose day only StartDateTime says.
    if (column === "start_at" && record.ActivityDate === null) draft.columns.due_date ??= String(moment).slice(0, 10);
    delete draft.columns[column];
    draft.customFields[field] = cleanJson(record[field]);
  }
}

export const event: SourceObject = {
  name: "Event",
  label: "event",
  resource: "activities",
  fields: {
    Subject: exact("subject"),
    Description: exact("description"),
    ActivityDate: likely("due_date", "The day of the event."),
    StartDateTime: exact("start_at", ALL_DAY_NOTE),
    EndDateTime: exact("end_at", ALL_DAY_NOTE),
    DurationInMinutes: exact("duration_minutes"),
    Location: exact("location"),
  },
  fixed: { ...RELATION_FIELDS },
  relations: RELATIONS,
  placeholders: { subject: "(no subject)" },
  computed: { ...RELATION_COLUMNS, type: [] },
  ignoredFields: [],
  ruleFields: ["IsRecurrence", "IsChild", "IsGroupEvent", "WhoCount", "IsAllDayEvent"],
  skip: (record) => inviteeCopy(record) ?? skipPattern(record),
  refine(record, draft) {
    draft.columns.type = "event";
    keepDays(record, draft);
    relateActivity(record, draft);
    keepPeople("Event", record, draft);
  },
};
