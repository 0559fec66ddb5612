import { expect, test } from "vitest";

import { AppError } from "@/lib/errors";
import { failureOf } from "@/lib/migration/failure";
import { pageSizeFor } from "@/lib/migration/page-size";

test("an analysis and a migration say the same cause and remedy, and each how to go on", () => {
  const error = new AppError("source_limit_exceeded", "No requests are left.");
  const [analysis, migration] = [failureOf(error, "analysis"), failureOf(error, "migration")];
  expect([analysis.code, analysis.detail]).toEqual([migration.code, migration.detail]);
  expect(analysis.remedy).toMatch(/^Wait until .* Then analyze the Salesforce org again\.$/);
  expect(migration.remedy).toMatch(/^Wait until .* Then run the migration again: .* nothing is imported twice\.$/);
});

test("a defect is not described", () => {
  expect(JSON.stringify(failureOf(new TypeError("x is not a function"), "analysis"))).not.toContain("x is");
});

test.each([
  [100, 0, 2000],
  [100, 30_000, 2000],
  [100, 1_000_000, 300],
  [100, 300_000_000, 100],
])("%d records of %d characters make pages of %d", (records, characters, size) => expect(pageSizeFor(records, characters)).toBe(size));
