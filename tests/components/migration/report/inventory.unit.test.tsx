import { expect, test } from "vitest";

import { Inventory } from "@/components/migration/report/inventory";
import type { ObjectReport } from "@/lib/migration/report/report-schema";
import { markupOf } from "@/tests/components/support/app-router";

function shown(...counts: (number | null)[]): string {
  const inventory = counts.map((count, index) => {
    const object = `Object_${index}__c`;
    return {
      object,
      label: object,
      status: "not_supported",
      count,
      left_out: [],
      reason: "",
    } as unknown as ObjectReport;
  });
  return markupOf(<Inventory inventory={inventory} />);
}

test("what stays behind counts its records, and says that it does not know them all", () => {
  expect(shown(12, 3)).toContain("2 objects, 15 records");
  expect(shown(12, null)).toContain("2 objects, at least 12 records");
  expect(shown(null, null)).toContain("2 objects, an unknown number of records");
});
