import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";

import { queryKeys } from "@/components/api/query-keys";
import { UnderWay } from "@/components/home/under-way";
import type { Migration } from "@/lib/migration/migration-schema";
import { markupOf } from "@/tests/components/support/app-router";

/** The start page's line about a finished run that imported 8 of 10 records and skipped the others. */
function line(outcome: Partial<Migration>): string {
  const migration = {
    migration_id: "01890000-0000-7000-8000-000000000000",
    status: "completed",
    org_name: "Acme",
    run_kind: "full",
    run_number: 1,
    finished_at: new Date().toISOString(),
    objects: [{ created: 8, updated: 0, unchanged: 0, skipped: 2, failed: 0, deleted: 0, source: 10, expected: 10 }],
    reconciled: true,
    outdated_by_undo: false,
    ...outcome,
  } as Migration;
  const queries = new QueryClient();
  const page = { data: [migration], next_cursor: null, has_more: false };
  queries.setQueryData(queryKeys.migrationsUnderWay(), { pages: [page], pageParams: [""] });
  return markupOf(<UnderWay isAdmin={false} />, queries).replaceAll(/<[^>]*>/g, "");
}

test("the start page accounts for the records that a finished migration left out on purpose", () => {
  expect(line({})).toContain("All 10 records are accounted for: 8 imported, 2 skipped on purpose; it finished ");
});

test("the start page does not say that of a run whose counts do not add up or that an undo has outdated", () => {
  expect(line({ reconciled: false })).toContain(
    "8 of 10 records were imported; 2 were skipped on purpose; it finished ",
  );
  expect(line({ reconciled: false, outdated_by_undo: true })).toContain(
    "8 of 10 records were imported before an undo; 2",
  );
});
