import { field, empty, READ_ONLY, type Field } from "../schema/field";
import { Dice, type Value } from "./dice";
import { roll } from "./hash";
import type { GeneratedObject, Org } from "./population";
import { lookupId, NONE } from "./references";
import { caseAccount, contactAccount, randomRecord } from "./relations";

/** A polymorphic lookup: which object, and the ordinal within it. */
export interface Target {
  readonly object: GeneratedObject;
  readonly ordinal: number;
}

const NOTHING: Target = { object: "Account", ordinal: NONE };

export function targetId(org: Org, target: Target, from: number): string | null {
  return lookupId(org, target.object, target.ordinal, from);
}

/** WhoId of an activity: usually a contact, sometimes a lead, often empty. */
export function whoOf(org: Org, salt: number, n: number): Target {
  const share = roll(org.seed, salt, n) % 100;
  if (share < 60) return { object: "Contact", ordinal: randomRecord(org, "Contact", salt ^ 1, n, 0) };
  return share < 70 ? { object: "Lead", ordinal: randomRecord(org, "Lead", salt ^ 2, n, 0) } : NOTHING;
}

/** WhatId of an activity. Empty for an activity with a lead: Salesforce refuses both at once. */
export function whatOf(org: Org, salt: number, n: number, who: Target): Target {
  if (who.object === "Lead" && who.ordinal !== NONE) return NOTHING;
  const share = roll(org.seed, salt, n) % 100;
  if (share < 30) return { object: "Account", ordinal: randomRecord(org, "Account", salt ^ 1, n, 0) };
  if (share < 55) return { object: "Case", ordinal: randomRecord(org, "Case", salt ^ 2, n, 0) };
  if (share < 66) return { object: "Opportunity", ordinal: randomRecord(org, "Opportunity", salt ^ 3, n, 0) };
  return share < 69 ? { object: "Project__c", ordinal: randomRecord(org, "Project__c", salt ^ 4, n, 0) } : NOTHING;
}

/** AccountId of an activity: derived from WhatId, else from the contact. */
export function derivedAccount(org: Org, what: Target, who: Target): number {
  if (what.ordinal >= 0 && what.object === "Account") return what.ordinal;
  if (what.ordinal >= 0 && what.object === "Case") return caseAccount(org, what.ordinal);
  return who.ordinal >= 0 && who.object === "Contact" ? contactAccount(org, who.ordinal) : NONE;
}

export const WHO = { referenceTo: ["Contact", "Lead"], label: "Name ID" } as const;
export const WHAT = {
  referenceTo: [
    "Account",
    "Asset",
    "Campaign",
    "Case",
    "Contract",
    "Opportunity",
    "Order",
    "Product2",
    "Project__c",
    "Solution",
  ],
  label: "Related To ID",
} as const;

const OUTCOMES = ["Reached", "Not reached", "Voicemail", "-Fax sent"] as const;

/** Custom fields of activities, which tasks and events share. */
export function activityCustomFields(object: string): readonly Field[] {
  const dice = new Dice(object);
  return [
    field("picklist", "Outcome__c", dice.picklist("Outcome__c", OUTCOMES, 300), { picklist: OUTCOMES }),
    field("double", "Travel_Km__c", dice.maybe("Travel_Km__c", 80, dice.integer("Travel_Km__c", 0, 900)), {
      precision: 6,
      scale: 0,
    }),
  ];
}

/** The fields of a series. `master` returns the first record of a record's series, or NONE. */
export function recurrenceFields(object: "Task" | "Event", master: Value<number>, startField: Field): readonly Field[] {
  const isMaster: Value<boolean> = (org, n) => master(org, n) === n;
  const onMaster =
    <T extends string | number>(value: T): Value<T | null> =>
    (org, n) =>
      isMaster(org, n) ? value : null;
  return [
    field("reference", "RecurrenceActivityId", (org, n) => lookupId(org, object, master(org, n), n), {
      ...READ_ONLY,
      referenceTo: [object],
      relationshipName: null,
    }),
    field("boolean", "IsRecurrence", isMaster, { updateable: false }),
    startField,
    field("date", "RecurrenceEndDateOnly", onMaster("2026-12-31")),
    field("picklist", "RecurrenceTimeZoneSidKey", onMaster("Europe/Berlin"), {
      length: 40,
      picklist: ["Europe/Berlin", "America/Los_Angeles", "Asia/Tokyo"],
    }),
    field("picklist", "RecurrenceType", onMaster("RecursWeekly"), {
      length: 40,
      picklist: ["RecursDaily", "RecursWeekly", "RecursMonthly", "RecursYearly"],
    }),
    field("int", "RecurrenceInterval", onMaster(1)),
    field("int", "RecurrenceDayOfWeekMask", onMaster(2)),
    empty("int", "RecurrenceDayOfMonth"),
    empty("picklist", "RecurrenceInstance", { length: 40 }),
    empty("picklist", "RecurrenceMonthOfYear", { length: 40 }),
  ];
}
