import { expect, test } from "vitest";

import { changesOf } from "@/components/home/changes";

let count = 0;

/** An event about the record with this id, after which the record has this version. */
function event(type: string, id: string, version: number) {
  const object = { id, version, created_at: "", custom_fields: {} };
  return { id: `event-${count++}`, type, timestamp: "2026-01-01T00:00:00.000Z", data: { object } };
}

const linesOf = (events: ReturnType<typeof event>[]) =>
  changesOf(events).map(({ resource, action, record }) => `${resource} ${record.id} ${action}`);

test("a record that is created again, with a later version, is said to be restored", () => {
  expect(
    linesOf([event("case.created", "a", 3), event("case.deleted", "a", 2), event("case.created", "a", 1)]),
  ).toEqual(["cases a restored", "cases a deleted", "cases a created"]);
});

test("an action is one line, that which says more, in whichever order its events come", () => {
  const escalation = [event("case.escalated", "a", 2), event("case.updated", "a", 2)];
  expect(linesOf(escalation)).toEqual(["cases a escalated"]);
  expect(linesOf(escalation.toReversed())).toEqual(["cases a escalated"]);
  const sale = [event("opportunity.updated", "b", 5), event("opportunity.stage_changed", "b", 5)];
  expect(linesOf([...sale, event("opportunity.updated", "b", 4), event("opportunity.updated", "c", 5)])).toEqual([
    "opportunities b stage_changed",
    "opportunities b updated",
    "opportunities c updated",
  ]);
});

test("a change stays in the list when the record is deleted after it", () => {
  expect(linesOf([event("case.deleted", "a", 2), event("case.updated", "a", 2)])).toEqual([
    "cases a deleted",
    "cases a updated",
  ]);
});
