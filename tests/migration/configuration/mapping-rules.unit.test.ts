import { expect, test } from "vitest";

import {
  fieldOf,
  fillerOf,
  enumValues,
  possibleTargets,
  readsAs,
  suggestValue,
} from "@/lib/migration/configuration/mapping-rules";
import { SOURCE_OBJECTS } from "@/lib/migration/objects/source-objects";
import type { ResourceName } from "@/lib/records/schema/resources";

const EXPECTED: [ResourceName, string, Record<string, string | null>][] = [
  [
    "cases",
    "status",
    {
      New: "new",
      Working: "in_progress",
      Escalated: "escalated",
      Closed: "closed",
      "On Hold": "on_hold",
      "Waiting on Customer": "waiting_on_customer",
    },
  ],
  ["cases", "status", { Unresolved: null, Reopened: "in_progress", "Closed - Duplicate": "closed", Zzz: null }],
  [
    "cases",
    "status",
    { "Not Resolved": "in_progress", Incomplete: "in_progress", "Closed - Not Resolved": "closed", Unassigned: null },
  ],
  [
    "cases",
    "status",
    {
      "Not Assigned / In Progress": "in_progress",
      "Not Assigned": null,
      Case_Resolved: "resolved",
      Case_Answered: "resolved",
      Case_Not_Resolved: null,
      Unanswered: null,
      "Nicht vollständig gelöst - resolved": "resolved",
    },
  ],
  ["activities", "status", { "Not Done": "not_started", Incomplete: "not_started", "Not yet sent": "not_started" }],
  ["cases", "priority", { High: "high", Medium: "medium", Low: "low", Critical: "urgent", Normal: "medium" }],
  [
    "activities",
    "status",
    {
      "Not Started": "not_started",
      "In Progress": "in_progress",
      Completed: "completed",
      "Waiting on someone else": "waiting",
      Deferred: "deferred",
      Call_Done: "completed",
      Email_Sent: "completed",
      Email_Not_Sent: null,
      "Not in Progress": null,
    },
  ],
  [
    "cases",
    "priority",
    {
      "Non-Urgent": null,
      "Not urgent": null,
      "Non-critical": null,
      "Less urgent": null,
      "Urgent, not critical": "urgent",
    },
  ],
  [
    "leads",
    "status",
    {
      Qualified: "qualified",
      Ready: "qualified",
      "Not Ready": null,
      NotReady: null,
      "Already Contacted": "contacted",
      "Not Accepted": null,
      "Not yet accepted": null,
      "Not fully accepted": null,
      "Not Sales Ready": null,
      Sales_Ready: "qualified",
      "No Budget Lost": "unqualified",
      "Not Pre-Qualified": null,
      "No Answer Attempted": null,
      "Nicht qualifiziert": null,
      "nicht mehr qualifiziert": null,
      "Non qualifié": null,
      "Não qualificado": null,
      "Non convertie": null,
      "Not Converted": "unqualified",
      "Closed - Not Converted": "unqualified",
      "Open - Not Contacted": "new",
      "Do Not Contact": null,
    },
  ],
  [
    "opportunities",
    "stage",
    {
      "Closed Won": "closed_won",
      Signed: "closed_won",
      Contract_Signed: "closed_won",
      Assigned: null,
      "Solution Designed": null,
      "Not Signed": null,
      "No Contract Signed": null,
      Resigned: null,
      Countersigned: null,
      "No Budget Lost": "closed_lost",
      "Not Lost": null,
      "Won't close": null,
      "No decision": "closed_lost",
    },
  ],
  ["activities", "status", { Abandoned: "cancelled", Sent: "completed", Unsent: null, Absent: null, Presented: null }],
  ["activities", "priority", { High: "high", Normal: "medium", Low: "low" }],
  ["activities", "type", { Task: "task", Call: "call", Email: "email", ListEmail: "email", Cadence: null }],
];

test.each(EXPECTED)("the standard values of %s.%s have the expected meaning", (resource, field, values) => {
  for (const [value, target] of Object.entries(values))
    expect([value, suggestValue(resource, field, value)]).toEqual([value, target]);
});

test("every suggestion is a value that the field can take", () => {
  const words = [
    "new",
    "open",
    "working",
    "hold",
    "wait",
    "escalated",
    "resolved",
    "closed",
    "high",
    "low",
    "urgent",
    "normal",
    "call",
    "mail",
    "cancel",
    "defer",
  ];
  for (const [resource, field] of EXPECTED) {
    for (const word of words)
      expect([null, ...(enumValues(resource, field) ?? [])]).toContain(suggestValue(resource, field, word));
  }
});

test("a value with the same spelling is not kept twice", () => {
  expect(readsAs("Waiting on Customer", "waiting_on_customer")).toBe(true);
  expect(readsAs("Working", "in_progress")).toBe(false);
  expect(readsAs(" in-progress. ", "in_progress")).toBe(true);
});

test("a value that says more than the target, in any script or by a symbol, is kept", () => {
  for (const value of [
    "対応中 (In Progress)",
    "In Progress — в работе",
    "✅ In Progress",
    "In Progress 2",
    "İn Progress",
  ])
    expect([value, readsAs(value, "in_progress")]).toEqual([value, false]);
  expect(suggestValue("cases", "status", "対応中 (In Progress)")).toBe("in_progress");
  for (const value of ["新規 New", "再 New", "New\u0301"])
    expect([value, readsAs(value, "new")]).toEqual([value, false]);
});

test("every declared target is a field of its resource that the import does not fill itself", () => {
  for (const object of Object.values(SOURCE_OBJECTS)) {
    for (const shape of [object, ...(object.alternative ? [object.alternative.shape] : [])]) {
      const targets = Object.values(shape.fields).map(({ target }) => target ?? "");
      expect(possibleTargets(shape)).toEqual(expect.arrayContaining(targets));
      for (const name of [...Object.keys(shape.computed), ...Object.keys(shape.placeholders)])
        expect(() => fieldOf(shape.resource, name)).not.toThrow();
      expect(possibleTargets(shape)).not.toContain("id");
    }
  }
});

test("required columns are never empty, whatever the source lacks", () => {
  const setByRule = new Set(["case_id", "case_number", "kind", "type"]);
  for (const shape of Object.values(SOURCE_OBJECTS)) {
    const needed = [...possibleTargets(shape), ...Object.keys(shape.computed)].filter(
      (name) => !fieldOf(shape.resource, name).nullable && !setByRule.has(name),
    );
    for (const name of needed) expect([name, fillerOf(shape, name)]).not.toEqual([name, null]);
    expect(needed.length).toBeGreaterThan(0);
  }
});
