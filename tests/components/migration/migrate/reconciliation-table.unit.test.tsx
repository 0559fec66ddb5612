import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";

import { queryKeys } from "@/components/api/query-keys";
import { ReconciliationTable } from "@/components/migration/migrate/outcome/reconciliation-table";
import { configurationSchema } from "@/lib/migration/configuration/configuration-schema";
import type { Migration, ObjectProgress } from "@/lib/migration/migration-schema";
import { markupOf } from "@/tests/components/support/app-router";

const COUNTS = { created: 0, updated: 0, unchanged: 10, skipped: 0, failed: 0, deleted: 0 };

/** The row of accounts, of which 10 were found here, as a migration shows it. */
function table(outcome: Partial<ObjectProgress>, of: Partial<Migration> = {}, queries = new QueryClient()): string {
  const objects = [{ ...COUNTS, object: "Account", resource: "accounts", status: "done", source: 10, ...outcome }];
  const migration = { migration_id: "1", run_kind: "full", run_number: 1, outdated_by_undo: false, objects, ...of };
  return markupOf(<ReconciliationTable migration={migration as Migration} />, queries).replaceAll("<!-- -->", "");
}

test("an object adds up, did so before an undo, is not finished, or lacks records", () => {
  const outdated = { outdated_by_undo: true };
  expect(table({ reconciled: true })).toContain("Yes");
  expect(table({ reconciled: false }, outdated)).toContain("Before an undo");
  expect(table({ reconciled: false, status: "running" }, outdated)).toContain("Not finished");
  expect(table({ reconciled: false })).toContain("Not finished");
  expect(table({ reconciled: false, source: 12 })).toContain("2 missing");
});

test("what a delta has deleted stands beside its sum, which counts not only what has changed", () => {
  const shown = table({ deleted: 3 }, { run_kind: "delta", run_number: 2 });
  expect(shown).toMatch(/Adds up<\/th>.*Deleted<\/th>/);
  expect(shown).toMatch(/>3<\/div>/);
  expect(shown).not.toContain("Changed in Salesforce");
  expect(table({})).not.toContain("Deleted");
});

/** What the cache of a page holds of the choices, and of a comparison that found 75 merged. */
function cache(action: "update" | "create", proofOfRun?: number): QueryClient {
  const queries = new QueryClient();
  const rules = [{ match: [{ fields: ["name"] }] }];
  const value = configurationSchema.parse({ objects: { Account: { duplicates: { rules, action } } } });
  queries.setQueryData(queryKeys.configuration("1"), { value, tag: null });
  if (proofOfRun !== undefined)
    queries.setQueryData(queryKeys.proof("1"), { status: "done", run_number: proofOfRun, objects: [{ merged: 75 }] });
  return queries;
}

test("merged duplicates are told: how many, once the run was compared with Salesforce", () => {
  expect(table({}, {}, cache("create"))).not.toContain("merged");
  expect(table({}, {}, cache("update"))).toContain("A duplicate that is merged counts as created");
  expect(table({}, { has_proof: true }, cache("create", 1))).toContain("75 records of Salesforce were merged. A ");
  expect(table({}, { has_proof: true, run_number: 2 }, cache("update", 1))).not.toContain("75 records");
});
