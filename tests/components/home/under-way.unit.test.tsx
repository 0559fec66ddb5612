import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";

import { queryKeys } from "@/components/api/query-keys";
import { UnderWay } from "@/components/home/under-way";
import type { Migration } from "@/lib/migration/migration-schema";
import { markupOf } from "@/tests/components/support/app-router";

/** A finished run that imported 8 of 10 records and skipped the others. */
function finished(outcome: Partial<Migration>): Migration {
  return {
    migration_id: "01890000-0000-7000-8000-000000000000",
    status: "completed",
    org_name: "Acme",
    ext_instance_url: "https://acme.my.salesforce.com",
    run_kind: "full",
    run_number: 1,
    finished_at: new Date().toISOString(),
    objects: [{ created: 8, updated: 0, unchanged: 0, skipped: 2, failed: 0, deleted: 0, source: 10, expected: 10 }],
    reconciled: true,
    outdated_by_undo: false,
    ...outcome,
  } as Migration;
}

/** What the start page says of migrations, the newest first. */
function shown(...data: Migration[]): string {
  const queries = new QueryClient();
  const page = { data, next_cursor: null, has_more: false };
  queries.setQueryData(queryKeys.migrationsUnderWay(), { pages: [page], pageParams: [""] });
  return markupOf(<UnderWay isAdmin={false} />, queries).replaceAll(/<[^>]*>/g, "");
}

const line = (outcome: Partial<Migration>) => shown(finished(outcome));

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

test("an attempt that failed is gone once its org is migrated, and one that runs, or of another org, is not", () => {
  const done = finished({ migration_id: "2" });
  const attempt = (more: Partial<Migration>) => finished({ migration_id: "1", status: "analysis_failed", ...more });
  expect(shown(attempt({}))).toContain("Analysis failed");
  expect(shown(done, attempt({}))).not.toContain("Analysis failed");
  expect(shown(done, attempt({}))).toContain("All 10 records are accounted for");
  expect(shown(done, attempt({ status: "paused" }))).toContain("Paused");
  expect(shown(done, attempt({ ext_instance_url: "https://beta.my.salesforce.com" }))).toContain("Analysis failed");
});

test("a newer attempt that has not ended hides none that waits or has stopped, but a failed analysis", () => {
  const failed = finished({ migration_id: "1", status: "failed" });
  const analysis = finished({ migration_id: "2", status: "analysis_failed" });
  expect(shown(analysis, failed)).toContain("Stopped by an error");
  expect(shown(analysis, failed)).toContain("Analysis failed");
  expect(shown(finished({ migration_id: "3", status: "ready" }), analysis)).not.toContain("Analysis failed");
});
