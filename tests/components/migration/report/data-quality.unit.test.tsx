import { expect, test } from "vitest";

import { DataQuality, whatBecomes } from "@/components/migration/report/data-quality";
import type { Report } from "@/lib/migration/report/report-schema";
import { markupOf } from "@/tests/components/support/app-router";

const inventory = [
  { resource: "accounts", status: "automatic" },
  { resource: "leads", status: "planned" },
] as Report["inventory"];

test("a link to a record that cannot be migrated yet is not promised to arrive", () => {
  expect(whatBecomes({ choice: "heal", target: "accounts" }, inventory)).toContain("when the other record arrives");
  expect(whatBecomes({ choice: "heal", target: "leads" }, inventory)).toContain("once leads can be migrated");
  expect(whatBecomes({ choice: "leave_out", target: "leads" }, inventory)).toBe("The record is left out");
});

type Found = Partial<NonNullable<Report["quality"]>["duplicates"][number]>;

function shown(...duplicates: Found[]): string {
  const quality = { duplicates, orphans: { data: [], not_counted_because: null } };
  return markupOf(
    <DataQuality quality={quality as unknown as NonNullable<Report["quality"]>} inventory={inventory} />,
  ).replaceAll("<!-- -->", "");
}

const counted = { measured: "searched", clusters: 0, duplicates: 0, not_counted_because: null } as const;

test("of an object without records nothing is said, and of one that was not counted why", () => {
  const words = shown(
    { ...counted, object: "Account", records: 0 },
    { ...counted, object: "Contact", records: 12 },
    { object: "Case", records: 0, clusters: null, duplicates: null, not_counted_because: "Too few requests." },
  );
  expect(words).not.toContain("Accounts");
  expect(words).toContain("all 12 compared");
  expect(words).toContain("duplicates were not counted. Too few requests.");
});

test("where there is nothing to say, there is no section", () => {
  expect(shown({ ...counted, object: "Account", records: 0 })).not.toContain("Data quality");
});
