import { expect, test } from "vitest";

import { Volume } from "@/components/migration/report/volume";
import type { ObjectReport } from "@/lib/migration/report/report-schema";
import { markupOf } from "@/tests/components/support/app-router";

const years = [{ year: 2025, records: 3 }];

function shown(byYear: Record<string, typeof years | null>): string {
  const inventory = Object.entries(byYear).map(([object, created_by_year]) => {
    return { object, label: object, status: "automatic", count: 3, created_by_year } as ObjectReport;
  });
  return markupOf(<Volume inventory={inventory} />);
}

test("the records by year name the objects that they leave out", () => {
  const words = shown({ Account: years, Task: null, Event: null });
  expect(words).toContain("Records by year of creation");
  expect(words).toContain("Without Tasks and Events, which could not be counted by year.");
});

test("nothing is said where all objects are in them, or where there are none", () => {
  expect(shown({ Account: years })).not.toContain("Without");
  expect(shown({ Task: null })).not.toContain("Without");
});
