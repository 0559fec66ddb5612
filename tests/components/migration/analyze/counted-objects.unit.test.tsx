import { expect, test } from "vitest";

import { CountedObjects } from "@/components/migration/analyze/counted-objects";
import type { AnalysisProgress } from "@/lib/migration/report/analysis-schema";
import { markupOf } from "@/tests/components/support/app-router";

function shown(records: number, areAllCounted: boolean): string {
  const objects = [{ object: "Account", label: "Accounts", count: 7, fields_read: false }];
  const others = { objects: 300, records, all_counted: areAllCounted };
  return markupOf(<CountedObjects progress={{ objects, others } as unknown as AnalysisProgress} />);
}

test("the objects that stay in Salesforce have the records that were counted, or at least those", () => {
  expect(shown(12, true)).toContain("300 objects with 12 records that stay");
  expect(shown(12, false)).toContain("300 objects with at least 12 records that stay");
  expect(shown(0, false)).toContain("300 objects with an unknown number of records that stay");
});
