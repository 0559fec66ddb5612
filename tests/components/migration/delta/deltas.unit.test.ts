import { expect, test } from "vitest";

import { canBegin, hasDeltas } from "@/components/migration/delta/deltas";

const schedule = { every_minutes: 30, next_at: "2026-11-20T10:00:00.000Z" };

test("a schedule stays in sight after a run that was cancelled, so that it can be stopped", () => {
  expect(hasDeltas({ status: "cancelled", reconciled: false, delta_schedule: schedule })).toBe(true);
  expect(hasDeltas({ status: "cancelled", reconciled: false, delta_schedule: null })).toBe(false);
  expect(hasDeltas({ status: "completed", reconciled: true, delta_schedule: null })).toBe(true);
  expect(hasDeltas({ status: "undone", reconciled: false, delta_schedule: null })).toBe(false);
});

test("a delta goes on from a whole run or from a delta, but not from a run that was cancelled", () => {
  const whole = { outdated_by_undo: false };
  expect(canBegin({ ...whole, reconciled: true, run_kind: "full" })).toBe(true);
  expect(canBegin({ ...whole, reconciled: false, run_kind: "delta" })).toBe(true);
  expect(canBegin({ ...whole, reconciled: false, run_kind: "full" })).toBe(false);
});

test("no delta goes on after an undo that may have taken records out", () => {
  expect(canBegin({ reconciled: false, outdated_by_undo: true, run_kind: "delta" })).toBe(false);
});
