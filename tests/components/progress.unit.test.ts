import { describe, expect, it } from "vitest";

import { differenceOf, doneOf, totalOf, totalProgress } from "@/components/migration/migrate/progress";
import type { Migration, ObjectProgress } from "@/lib/migration/migration-schema";

function line(counts: Partial<ObjectProgress>): ObjectProgress {
  const none = { created: 0, updated: 0, unchanged: 0, skipped: 0, failed: 0, deleted: 0 };
  return {
    object: "Account",
    resource: "accounts",
    status: "running",
    expected: null,
    source: null,
    api: null,
    api_reason: null,
    reconciled: false,
    ...none,
    ...counts,
  };
}

function percentOf(...objects: ObjectProgress[]): number {
  return totalProgress({ objects } as Migration).percent;
}

describe("the progress of a run", () => {
  it("counts a record as done whatever its outcome", () => {
    expect(doneOf(line({ created: 1, updated: 2, unchanged: 3, skipped: 4, failed: 5 }))).toBe(15);
  });

  it("prefers the count after reading to the one before, and the records done to both", () => {
    expect(totalOf(line({ expected: 10 }))).toBe(10);
    expect(totalOf(line({ expected: 10, source: 12 }))).toBe(12);
    expect(totalOf(line({ expected: 10, created: 14 }))).toBe(14);
  });

  it("shows 100 percent only when all records are done", () => {
    expect(percentOf(line({ expected: 1000, created: 999 }))).toBe(99);
    expect(percentOf(line({ expected: 1000, created: 1000 }), line({ expected: 1 }))).toBe(99);
    expect(percentOf(line({ expected: 1000, created: 1000 }))).toBe(100);
    expect(percentOf()).toBe(0);
  });

  it("gives the difference of a sum once the source was counted", () => {
    expect(differenceOf(line({ created: 5 }))).toBeNull();
    expect(differenceOf(line({ source: 7, created: 5 }))).toBe(2);
    expect(differenceOf(line({ source: 4, created: 5 }))).toBe(-1);
  });
});
