import { auditFields, idField, ownerField, VIEWED } from "../generator/audit";
import { createdTime, datetime, DAY, HOUR, ORG_NOW, wholeSecond } from "../generator/clock";
import { Dice, type Value } from "../generator/dice";
import { below, pick, roll } from "../generator/hash";
import type { Org } from "../generator/population";
import { caseAccount, caseContact, caseParent, randomRecord } from "../generator/relations";
import { lookupId } from "../generator/references";
import { cut } from "../generator/text";
import { empty, field, READ_ONLY, type Field, type Json } from "../schema/field";
import { PRODUCT_LINES } from "../words/companies";
import { SENTENCES, SUBJECTS } from "../words/sentences";
import { person } from "./contact";
import { generated } from "./generated";
import { recordTypeId } from "./record-types";

const dice = new Dice("Case");
const severity = dice.integer("Severity_Score__c", -5000, 1_000_000);
const CREATED = dice.salt("CreatedDate");
const STATUS = dice.salt("Status");
const CLOSED = dice.salt("ClosedDate");
const SUBJECT = dice.salt("Subject");
const PRODUCT = dice.salt("Affected_Product__c");
const VEHICLE = dice.salt("fleet__Vehicle__c");

const STATUSES = [
  "*New",
  "Working",
  "Waiting on Customer",
  "Escalated",
  "On Hold",
  "Resolved",
  "Closed",
  "-Closed (Duplicate)",
  "-Zurückgestellt",
] as const;
const CLOSED_STATUSES = ["Resolved", "Closed", "Closed (Duplicate)"];
const OPEN_STATUSES = ["New", "Working", "Waiting on Customer", "Escalated", "On Hold", "Zurückgestellt"];
const TYPES = ["Mechanical", "Electrical", "Electronic", "Structural", "Other"] as const;
const REASONS = [
  "Installation",
  "Equipment Complexity",
  "Performance",
  "Breakdown",
  "Equipment Design",
  "Feedback",
  "Other",
] as const;
const ORIGINS = ["Phone", "Email", "Web", "-Fax"] as const;
const PRIORITIES = ["High", "*Medium", "Low", "-Critical"] as const;

export const caseOpened: Value<number> = (org, n) => createdTime(org, CREATED, n, org.total.Case);

/** Old cases are closed, except a few. Most cases of the last two months are open. */
function isClosed(org: Org, n: number): boolean {
  return roll(org.seed, STATUS, n) % 100 < (caseOpened(org, n) > ORG_NOW - 60 * DAY ? 35 : 95);
}

function closedAt(org: Org, n: number): number {
  const opened = caseOpened(org, n);
  return wholeSecond(Math.min(ORG_NOW, opened + HOUR + below(90 * DAY, org.seed, CLOSED, n)));
}

function statusAt(org: Org, n: number): string {
  if (roll(org.seed, STATUS ^ 1, n) % 250 === 0) return isClosed(org, n) ? "Closed" : "Neu";
  const list = isClosed(org, n) ? CLOSED_STATUSES : OPEN_STATUSES;
  return roll(org.seed, STATUS ^ 2, n) % 3 > 0 ? (list[1] ?? "") : pick(list, org.seed, STATUS ^ 3, n);
}

/** One case in 120 has no subject. Some subjects have 255 characters. */
export const caseSubject: Value<string | null> = (org, n) => {
  const number = roll(org.seed, SUBJECT, n);
  if (number % 120 === 0) return null;
  const subject = pick(SUBJECTS, org.seed, SUBJECT ^ 1, n);
  if (number % 300 === 1) return cut(`${subject}: ${pick(SENTENCES, org.seed, SUBJECT ^ 2, n)} `.repeat(12), 255);
  return number % 4 === 0 ? `${subject} #${number % 10_000}` : subject;
};

/** A value of the case's contact, for the read-only Contact… fields of a case. */
function ofContact(value: Value<Json>): Value<Json> {
  return (org, n) => {
    const contact = caseContact(org, n);
    return contact < 0 ? null : value(org, contact);
  };
}

const supplied: readonly Field[] = [
  field("string", "SuppliedName", dice.maybe("Supplied", 150, ofContact(person.name)), {
    label: "Web Name",
    length: 80,
  }),
  field("email", "SuppliedEmail", dice.maybe("Supplied", 150, ofContact(person.email)), { label: "Web Email" }),
  field("string", "SuppliedPhone", dice.maybe("SuppliedPhone", 60, dice.phone("SuppliedPhone")), {
    label: "Web Phone",
    length: 40,
  }),
  field(
    "string",
    "SuppliedCompany",
    dice.maybe("SuppliedCompany", 60, dice.pick("SuppliedCompany", ["Acme", "n/a", "株式会社サクラ"])),
    {
      label: "Web Company",
      length: 80,
    },
  ),
];

const custom: readonly Field[] = [
  field("picklist", "Product_Line__c", dice.picklist("Product_Line__c", PRODUCT_LINES, 800, "Turbines"), {
    picklist: PRODUCT_LINES,
  }),
  field(
    "multipicklist",
    "Symptoms__c",
    dice.multipicklist("Symptoms__c", ["Noise", "Heat", "Leak", "Smell", "-Smoke"]),
    {
      picklist: ["Noise", "Heat", "Leak", "Smell", "-Smoke"],
    },
  ),
  field(
    "double",
    "Severity_Score__c",
    dice.maybe("Severity_Score__c", 600, (org, n) => severity(org, n) / 100),
    { precision: 16, scale: 2 },
  ),
  field("boolean", "Is_Safety_Relevant__c", dice.chance("Is_Safety_Relevant__c", 30)),
  field(
    "date",
    "Promised_Date__c",
    dice.maybe("Promised_Date__c", 300, dice.date("Promised_Date__c", Date.UTC(2017, 0, 1), Date.UTC(2027, 0, 1))),
  ),
  field("datetime", "SLA_Deadline__c", (org, n) => datetime(caseOpened(org, n) + 2 * DAY), { label: "SLA Deadline" }),
  field("textarea", "Root_Cause__c", dice.maybe("Root_Cause__c", 200, dice.text("Root_Cause__c", 32_768)), {
    length: 32_768,
  }),
  field(
    "string",
    "External_Ticket__c",
    dice.maybe("External_Ticket__c", 300, (_, n) => `TCK-${n}`),
    { length: 40, externalId: true },
  ),
  field(
    "reference",
    "Affected_Product__c",
    (org, n) => lookupId(org, "Product2", randomRecord(org, "Product2", PRODUCT, n, 500), n),
    {
      referenceTo: ["Product2"],
    },
  ),
  field(
    "reference",
    "Vehicle__c",
    (org, n) => lookupId(org, "fleet__Vehicle__c", randomRecord(org, "fleet__Vehicle__c", VEHICLE, n, 900), n),
    {
      referenceTo: ["fleet__Vehicle__c"],
    },
  ),
  field(
    "double",
    "Resolution_Hours__c",
    (org, n) => (isClosed(org, n) ? Math.round((closedAt(org, n) - caseOpened(org, n)) / HOUR) : null),
    {
      ...READ_ONLY,
      calculated: true,
      calculatedFormula: "IF(ISNULL(ClosedDate), NULL, ROUND((ClosedDate - CreatedDate) * 24, 0))",
      scale: 0,
    },
  ),
];

export const caseObject = generated(
  "Case",
  [
    idField("Case", "Case ID"),
    ...auditFields("Case", caseOpened),
    empty("reference", "MasterRecordId", { ...READ_ONLY, referenceTo: ["Case"] }),
    field("string", "CaseNumber", (_, n) => String(n + 1001).padStart(8, "0"), {
      ...READ_ONLY,
      nillable: false,
      defaultedOnCreate: true,
      autoNumber: true,
      idLookup: true,
      nameField: true,
      length: 30,
    }),
    field("reference", "ContactId", (org, n) => lookupId(org, "Contact", caseContact(org, n), n), {
      referenceTo: ["Contact"],
    }),
    field("reference", "AccountId", (org, n) => lookupId(org, "Account", caseAccount(org, n), n), {
      referenceTo: ["Account"],
    }),
    empty("reference", "AssetId", { referenceTo: ["Asset"] }),
    field("reference", "ParentId", (org, n) => lookupId(org, "Case", caseParent(org, n), n), {
      label: "Parent Case ID",
      referenceTo: ["Case"],
    }),
    field(
      "reference",
      "RecordTypeId",
      (org, n) => recordTypeId(org, n % 9 === 0 ? "Complaint" : n % 101 === 5 ? "Field_Service_2014" : "Support"),
      {
        referenceTo: ["RecordType"],
      },
    ),
    ...supplied,
    field("picklist", "Type", dice.picklist("Type", TYPES, 700), { label: "Case Type", length: 40, picklist: TYPES }),
    field("picklist", "Status", statusAt, { length: 40, defaultedOnCreate: true, picklist: STATUSES }),
    field("picklist", "Reason", dice.picklist("Reason", REASONS, 500), {
      label: "Case Reason",
      length: 40,
      picklist: REASONS,
    }),
    field("picklist", "Origin", dice.picklist("Origin", ORIGINS, 950, "Brieftaube"), {
      label: "Case Origin",
      length: 40,
      picklist: ORIGINS,
    }),
    field("string", "Subject", caseSubject),
    field("picklist", "Priority", dice.picklist("Priority", PRIORITIES, 990), {
      length: 40,
      defaultedOnCreate: true,
      picklist: PRIORITIES,
    }),
    field("textarea", "Description", dice.maybe("Description", 800, dice.text("Description", 32_000)), {
      length: 32_000,
    }),
    field("boolean", "IsClosed", isClosed, { ...READ_ONLY, label: "Closed" }),
    field("datetime", "ClosedDate", (org, n) => (isClosed(org, n) ? datetime(closedAt(org, n)) : null), READ_ONLY),
    field("boolean", "IsEscalated", dice.chance("IsEscalated", 50), { label: "Escalated" }),
    ownerField("Case", 350),
    field("phone", "ContactPhone", ofContact(person.mobile), READ_ONLY),
    field("email", "ContactEmail", ofContact(person.email), READ_ONLY),
    field("textarea", "Comments", () => null, { label: "Internal Comments", length: 4000 }),
    ...VIEWED,
    ...custom,
  ],
  { label: "Case", feedEnabled: true },
);
