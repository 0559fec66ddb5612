import { expect, test } from "vitest";

import { whatBecomes } from "@/components/migration/report/data-quality";
import type { Report } from "@/lib/migration/report/report-schema";

const inventory = [
  { resource: "accounts", status: "automatic" },
  { resource: "leads", status: "planned" },
] as Report["inventory"];

test("a link to a record that cannot be migrated yet is not promised to arrive", () => {
  expect(whatBecomes({ choice: "heal", target: "accounts" }, inventory)).toContain("when the other record arrives");
  expect(whatBecomes({ choice: "heal", target: "leads" }, inventory)).toContain("once leads can be migrated");
  expect(whatBecomes({ choice: "leave_out", target: "leads" }, inventory)).toBe("The record is left out");
});
