import { expect, test } from "vitest";

import type { ObjectConfiguration } from "@/lib/migration/configuration/configuration-schema";
import { planObject } from "@/lib/migration/pipeline/map/plan";
import { transform } from "@/lib/migration/pipeline/map/transform";
import { NOBODY } from "@/lib/migration/pipeline/read/people";
import type { SourceRecord } from "@/lib/salesforce/query";
import { sourceRecord } from "@/tests/migration/support/scripted-source";

const ORGANIZATION = "01890000-0000-7000-8000-000000000000";

const FIELDS = ["Status", "Stage__c"].map((name) => ({ name, type: "picklist" }));

/** The status that a record gets, and what it keeps of its own. */
function statusOf(object: "Case" | "Task", fields: SourceRecord, choices: Partial<ObjectConfiguration> = {}) {
  const plan = planObject(object, [...FIELDS, { name: "IsClosed", type: "boolean" }], choices);
  const outcome = transform(plan, sourceRecord(object === "Case" ? "500" : "00T", 1, fields), NOBODY, ORGANIZATION);
  if (!("row" in outcome)) throw new Error(outcome.issue.reason);
  return [outcome.row.status, outcome.row.custom_fields.Status ?? null];
}

test.each([
  ["Task", "Not Done", false, "not_started"],
  ["Task", "Nearly complete", false, "not_started"],
  ["Task", "Left a message", true, "completed"],
  ["Task", "Deferred by us", true, "completed"],
  ["Task", "Cancelled by us", true, "cancelled"],
  ["Task", "Working on it", false, "in_progress"],
  ["Case", "Pending Closure", false, "in_progress"],
  ["Case", "Works as Designed", true, "closed"],
  ["Case", "Resolved by us", false, "resolved"],
  ["Case", "Resolved by us", true, "resolved"],
  ["Case", "Parked with us", false, "on_hold"],
] as const)("a %s whose status is “%s” and whose IsClosed is %s is %s", (object, Status, IsClosed, status) => {
  expect(statusOf(object, { Status, IsClosed })).toEqual([status, Status]);
});

test("a status is kept if IsClosed says otherwise, as ours where it reads so; without IsClosed it counts", () => {
  expect(statusOf("Task", { Status: "Completed", IsClosed: true })).toEqual(["completed", null]);
  expect(statusOf("Task", { Status: "Completed", IsClosed: false })).toEqual(["not_started", "completed"]);
  expect(statusOf("Case", { Status: "Pending Closure" })).toEqual(["closed", "Pending Closure"]);
  expect(statusOf("Case", { Status: null, IsClosed: true })).toEqual(["closed", null]);
});

test("what the user has chosen counts: for a value, or another field as a whole", () => {
  const record = { Status: "Pending Closure", Stage__c: "Closed", IsClosed: false };
  const forValue = { values: { Status: { "Pending Closure": "closed" } } };
  expect(statusOf("Case", record, forValue)).toEqual(["closed", "Pending Closure"]);
  expect(statusOf("Case", { ...record, Status: "Closed" }, forValue)).toEqual(["in_progress", "closed"]);
  expect(statusOf("Case", record, { fields: { Stage__c: "status" } })).toEqual(["closed", "Pending Closure"]);
});
