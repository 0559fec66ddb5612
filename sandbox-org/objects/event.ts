import {
  activityCustomFields,
  derivedAccount,
  recurrenceFields,
  targetId,
  WHAT,
  whatOf,
  WHO,
  whoOf,
  type Target,
} from "../generator/activities";
import { auditFields, idField, ownerField } from "../generator/audit";
import { ARCHIVE_BEFORE, createdTime, date, datetime, DAY, HOUR, MINUTE } from "../generator/clock";
import { Dice, type Value } from "../generator/dice";
import { below, chance, pick, roll } from "../generator/hash";
import { isGroupEvent, isInviteeCopy } from "../generator/invitees";
import type { Org } from "../generator/population";
import { lookupId, NONE } from "../generator/references";
import { empty, field, READ_ONLY } from "../schema/field";
import { EVENT_SUBJECTS } from "../words/sentences";
import { generated } from "./generated";

const dice = new Dice("Event");
const CREATED = dice.salt("CreatedDate");
const START = dice.salt("StartDateTime");
const WHO_SALT = dice.salt("WhoId");
const WHAT_SALT = dice.salt("WhatId");
const SUBJECT = dice.salt("Subject");
const DURATIONS = [15, 30, 30, 45, 60, 60, 60, 90, 120, 480] as const;

const created: Value<number> = (org, n) => createdTime(org, CREATED, n, org.total.Event);

const parentOf = (n: number): number => (isInviteeCopy(n) ? n - 1 : n);
const hasInvitees = (n: number): boolean => isGroupEvent(n) || isInviteeCopy(n);
/** Four events of fifty are a weekly series. The first one is its master. */
const master: Value<number> = (_, n) => (n % 50 >= 11 && n % 50 <= 14 ? n - ((n % 50) - 11) : NONE);
const isAllDay = (org: Org, n: number): boolean => chance(90, org.seed, START ^ 3, parentOf(n));

function startAt(org: Org, n: number): number {
  const own = parentOf(n);
  const first = Math.max(0, master(org, own));
  const head = master(org, own) === NONE ? own : first;
  const day =
    Math.floor(created(org, head) / DAY) * DAY + (below(40, org.seed, START, head) - 4) * DAY + (own - head) * 7 * DAY;
  return isAllDay(org, own) ? day : day + 7 * HOUR + below(40, org.seed, START ^ 1, own) * 15 * MINUTE;
}

const minutes = (org: Org, n: number): number =>
  isAllDay(org, n) ? 1440 * (1 + (parentOf(n) % 3 === 0 ? 2 : 0)) : pick(DURATIONS, org.seed, START ^ 2, parentOf(n));
/** An all-day event ends at the midnight at which its last day begins. */
const endAt = (org: Org, n: number): number =>
  startAt(org, n) + (isAllDay(org, n) ? minutes(org, n) - 1440 : minutes(org, n)) * MINUTE;
const isArchived = (org: Org, n: number): boolean => endAt(org, n) < ARCHIVE_BEFORE;

function subjectAt(org: Org, n: number): string | null {
  const own = parentOf(n);
  return roll(org.seed, SUBJECT, own) % 160 === 0 ? null : pick(EVENT_SUBJECTS, org.seed, SUBJECT ^ 1, own);
}

const who = (org: Org, n: number): Target => whoOf(org, WHO_SALT, parentOf(n));
const what = (org: Org, n: number): Target => whatOf(org, WHAT_SALT, parentOf(n), who(org, n));

export const event = generated(
  "Event",
  [
    idField("Event", "Activity ID"),
    field("reference", "WhoId", (org, n) => targetId(org, who(org, n), n), WHO),
    field("reference", "WhatId", (org, n) => targetId(org, what(org, n), n), WHAT),
    field("combobox", "Subject", subjectAt, {
      nameField: true,
      picklist: ["Call", "Email", "Meeting", "Send Letter/Quote", "Other"],
    }),
    field(
      "string",
      "Location",
      dice.maybe(
        "Location",
        500,
        dice.pick("Location", ["HQ, room 4.02", "Zoom https://example.com/j/123?pwd=a&b", "Werk 2", "会議室", "tbd"]),
      ),
    ),
    field("boolean", "IsAllDayEvent", isAllDay, { label: "All-Day Event" }),
    field("datetime", "ActivityDateTime", (org, n) => (isAllDay(org, n) ? null : datetime(startAt(org, n))), {
      label: "Due Date Time",
    }),
    field("date", "ActivityDate", (org, n) => date(startAt(org, n)), { label: "Due Date Only" }),
    field("int", "DurationInMinutes", minutes, { label: "Duration" }),
    field("datetime", "StartDateTime", (org, n) => datetime(startAt(org, n))),
    field("datetime", "EndDateTime", (org, n) => datetime(endAt(org, n))),
    field("date", "EndDate", (org, n) => date(endAt(org, n)), READ_ONLY),
    field("textarea", "Description", dice.maybe("Description", 400, dice.text("Description", 32_000)), {
      length: 32_000,
    }),
    field(
      "reference",
      "AccountId",
      (org, n) => lookupId(org, "Account", derivedAccount(org, what(org, n), who(org, n)), n),
      {
        ...READ_ONLY,
        referenceTo: ["Account"],
      },
    ),
    ownerField("Event"),
    field("boolean", "IsPrivate", dice.chance("IsPrivate", 40), { label: "Private" }),
    field("picklist", "ShowAs", dice.picklist("ShowAs", ["*Busy", "OutOfOffice", "Free"], 1000), {
      label: "Show Time As",
      length: 40,
      defaultedOnCreate: true,
      picklist: ["*Busy", "OutOfOffice", "Free"],
    }),
    ...auditFields("Event", created),
    field("boolean", "IsChild", (_, n) => isInviteeCopy(n), READ_ONLY),
    field("boolean", "IsGroupEvent", (_, n) => hasInvitees(n), READ_ONLY),
    field("picklist", "GroupEventType", (_, n) => (hasInvitees(n) ? "1" : "0"), {
      ...READ_ONLY,
      length: 40,
      picklist: ["*0", "1", "2", "3"],
    }),
    field("boolean", "IsArchived", isArchived, { ...READ_ONLY, label: "Archived" }),
    ...recurrenceFields(
      "Event",
      master,
      field("datetime", "RecurrenceStartDateTime", (org, n) =>
        master(org, n) === n ? datetime(startAt(org, n)) : null,
      ),
    ),
    empty("datetime", "ReminderDateTime"),
    empty("boolean", "IsReminderSet"),
    field("picklist", "EventSubtype", () => "Event", { updateable: false, length: 40, picklist: ["*Event"] }),
    empty("boolean", "IsRecurrence2", READ_ONLY),
    empty("boolean", "IsRecurrence2Exception", READ_ONLY),
    empty("boolean", "IsRecurrence2Exclusion", READ_ONLY),
    ...activityCustomFields("Event"),
  ],
  { label: "Event", isArchived },
);
