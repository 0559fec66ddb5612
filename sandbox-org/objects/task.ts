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
import { ARCHIVE_BEFORE, createdTime, date, datetime, DAY, ORG_NOW } from "../generator/clock";
import { Dice, type Value } from "../generator/dice";
import {
  customerAddress,
  emailCase,
  emailContact,
  emailSent,
  emailCreated,
  emailSubject,
  emailText,
  isUnread,
} from "../generator/emails";
import { below, chance, pick, roll } from "../generator/hash";
import { emailOfTask, isEmailTask } from "../generator/mirrors";
import { isDeleted, type Org } from "../generator/population";
import { lookupId, NONE } from "../generator/references";
import { cut } from "../generator/text";
import { empty, field, READ_ONLY, REQUIRED, type Field } from "../schema/field";
import { SENTENCES, TASK_SUBJECTS } from "../words/sentences";
import { generated } from "./generated";

const dice = new Dice("Task");
const CREATED = dice.salt("CreatedDate");
const DUE = dice.salt("ActivityDate");
const WHO_SALT = dice.salt("WhoId");
const WHAT_SALT = dice.salt("WhatId");
const SUBJECT = dice.salt("Subject");
const STATUS = dice.salt("Status");

const STATUSES = [
  "*Not Started",
  "In Progress",
  "Completed",
  "Waiting on someone else",
  "Deferred",
  "-Delegated",
] as const;
const OPEN_STATUSES = ["Not Started", "In Progress", "Waiting on someone else", "Deferred", "Delegated"];
const PRIORITIES = ["High", "*Normal", "Low"] as const;

export const taskCreated: Value<number> = (org, n) => {
  const email = emailOfTask(org, n);
  return email === NONE ? createdTime(org, CREATED, n, org.total.Task) : emailCreated(org, email);
};

/** Three tasks of sixty are a weekly series. The first one is its master. */
const master: Value<number> = (_, n) => (n % 60 >= 17 && n % 60 <= 19 ? n - ((n % 60) - 17) : NONE);

function dueAt(org: Org, n: number): number | null {
  const email = emailOfTask(org, n);
  if (email !== NONE) return emailSent(org, email);
  if (chance(90, org.seed, DUE, n)) return null;
  return taskCreated(org, n) + (below(45, org.seed, DUE ^ 1, n) - 3) * DAY;
}

/** The e-mail of a task is to be answered: Email-to-Case has made the task for the owner of the case. */
function isToAnswer(org: Org, n: number): boolean {
  const email = emailOfTask(org, n);
  return email !== NONE && isUnread(org, email);
}

/** Other e-mail tasks are created as completed. Most further tasks older than two months are completed too. */
function isClosed(org: Org, n: number): boolean {
  if (isEmailTask(n)) return !isToAnswer(org, n);
  return roll(org.seed, STATUS, n) % 100 < (taskCreated(org, n) > ORG_NOW - 60 * DAY ? 40 : 93);
}

const isCall = (org: Org, n: number): boolean => !isEmailTask(n) && chance(300, org.seed, STATUS ^ 1, n);

function subtypeAt(org: Org, n: number): string {
  if (isEmailTask(n)) return chance(10, org.seed, STATUS ^ 2, n) ? "ListEmail" : "Email";
  return isCall(org, n) ? "Call" : "Task";
}

function subjectAt(org: Org, n: number): string | null {
  const email = emailOfTask(org, n);
  if (email !== NONE) return cut(`Email: ${emailSubject(org, email) ?? ""}`, 255);
  const number = roll(org.seed, SUBJECT, n);
  if (number % 140 === 0) return null;
  if (isCall(org, n)) return number % 3 === 0 ? "Call" : `Call: ${cut(pick(SENTENCES, org.seed, SUBJECT ^ 1, n), 200)}`;
  return pick(TASK_SUBJECTS, org.seed, SUBJECT ^ 2, n);
}

const note = dice.maybe("Description", 450, dice.text("Description", 32_000));

function descriptionAt(org: Org, n: number): string | null {
  const email = emailOfTask(org, n);
  if (email === NONE) return note(org, n);
  const head =
    `To: ${customerAddress(org, email)}\nCC: \nBCC: \nAttachment: --none--\n\nSubject: ` +
    `${emailSubject(org, email) ?? ""}\nBody:\n`;
  return cut(head + emailText(org, email), 32_000);
}

function who(org: Org, n: number): Target {
  const email = emailOfTask(org, n);
  return email === NONE ? whoOf(org, WHO_SALT, n) : { object: "Contact", ordinal: emailContact(org, email) };
}

function what(org: Org, n: number): Target {
  const email = emailOfTask(org, n);
  return email === NONE ? whatOf(org, WHAT_SALT, n, who(org, n)) : { object: "Case", ordinal: emailCase(org, email) };
}

/** The case of a logged call, or NONE: a task that is no call, or is about another record. */
export function callOfTask(org: Org, n: number): number {
  const about = what(org, n);
  return isCall(org, n) && about.object === "Case" && !isDeleted(org, "Task", n) ? Math.max(NONE, about.ordinal) : NONE;
}

/** Salesforce archives closed tasks 365 days after their due date or, without one, after their creation. */
function isArchived(org: Org, n: number): boolean {
  return isClosed(org, n) && (dueAt(org, n) ?? taskCreated(org, n)) < ARCHIVE_BEFORE;
}

const seconds = dice.integer("CallDurationInSeconds", 0, 5400);
const calls = dice.pick("CallType", ["Inbound", "Outbound", "Internal"]);

const callFields: readonly Field[] = [
  field("int", "CallDurationInSeconds", (org, n) => (isCall(org, n) ? seconds(org, n) : null), {
    label: "Call Duration",
  }),
  field("picklist", "CallType", (org, n) => (isCall(org, n) ? calls(org, n) : null), {
    length: 40,
    picklist: ["Internal", "Inbound", "Outbound"],
  }),
  field(
    "string",
    "CallDisposition",
    dice.maybe("CallDisposition", 50, dice.pick("CallDisposition", ["Busy", "Reached", "wrong number"])),
    {
      label: "Call Result",
    },
  ),
  empty("string", "CallObject", { label: "Call Object Identifier" }),
];

export const task = generated(
  "Task",
  [
    idField("Task", "Activity ID"),
    field("reference", "WhoId", (org, n) => targetId(org, who(org, n), n), WHO),
    field("reference", "WhatId", (org, n) => targetId(org, what(org, n), n), WHAT),
    field("combobox", "Subject", subjectAt, {
      nameField: true,
      picklist: ["Call", "Email", "Send Letter", "Send Quote", "Other"],
    }),
    field(
      "date",
      "ActivityDate",
      (org, n) => {
        const due = dueAt(org, n);
        return due === null ? null : date(due);
      },
      { label: "Due Date Only" },
    ),
    field(
      "picklist",
      "Status",
      (org, n) => {
        if (isClosed(org, n)) return "Completed";
        return isToAnswer(org, n) ? "Not Started" : pick(OPEN_STATUSES, org.seed, STATUS ^ 3, n);
      },
      {
        ...REQUIRED,
        defaultedOnCreate: true,
        length: 40,
        picklist: STATUSES,
      },
    ),
    field("picklist", "Priority", dice.pick("Priority", ["Normal", "Normal", "Normal", "High", "Low"]), {
      ...REQUIRED,
      defaultedOnCreate: true,
      length: 40,
      picklist: PRIORITIES,
    }),
    field(
      "boolean",
      "IsHighPriority",
      (org, n) => dice.pick("Priority", ["Normal", "Normal", "Normal", "High", "Low"])(org, n) === "High",
      READ_ONLY,
    ),
    ownerField("Task"),
    field("textarea", "Description", descriptionAt, { label: "Comments", length: 32_000 }),
    field(
      "reference",
      "AccountId",
      (org, n) => lookupId(org, "Account", derivedAccount(org, what(org, n), who(org, n)), n),
      {
        ...READ_ONLY,
        referenceTo: ["Account"],
      },
    ),
    field("boolean", "IsClosed", isClosed, READ_ONLY),
    ...auditFields("Task", taskCreated),
    field("boolean", "IsArchived", isArchived, { ...READ_ONLY, label: "Archived" }),
    ...callFields,
    empty("datetime", "ReminderDateTime"),
    empty("boolean", "IsReminderSet"),
    ...recurrenceFields(
      "Task",
      master,
      field("date", "RecurrenceStartDateOnly", (org, n) => (master(org, n) === n ? date(taskCreated(org, n)) : null)),
    ),
    empty("picklist", "RecurrenceRegeneratedType", { length: 40 }),
    field("picklist", "TaskSubtype", subtypeAt, {
      updateable: false,
      length: 40,
      restrictedPicklist: true,
      picklist: ["Task", "Email", "ListEmail", "Cadence", "Call"],
    }),
    field(
      "datetime",
      "CompletedDateTime",
      (org, n) =>
        isClosed(org, n) ? datetime(Math.min(ORG_NOW, Math.max(dueAt(org, n) ?? 0, taskCreated(org, n)))) : null,
      READ_ONLY,
    ),
    ...activityCustomFields("Task"),
  ],
  { label: "Task", isArchived },
);
