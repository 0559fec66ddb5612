import { expect, test } from "vitest";

import { policyCounts } from "@/components/migration/configure/duplicates/policy-counts";

const found = { status: "done", clusters: 80, duplicates: 1200, source_records: 10_000 } as const;

test("each choice says what it would do with the duplicates that were found", () => {
  expect(policyCounts(found)).toEqual({
    update: "1,200 would be merged into 80. 8,800 of 10,000 records would be here.",
    skip: "1,200 would be skipped. 8,800 of 10,000 records would be here.",
    create: "1,200 would be listed. All 10,000 records would be here.",
  });
});

test("nothing is said before a search has ended, and where it has found nothing", () => {
  expect(policyCounts(undefined)).toBeNull();
  expect(policyCounts({ ...found, status: "reading_here" })).toBeNull();
  expect(policyCounts({ ...found, status: "failed" })).toBeNull();
  expect(policyCounts({ ...found, clusters: 0, duplicates: 0 })).toBeNull();
});
