import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";

import { queryKeys } from "@/components/api/query-keys";
import { OutcomeSummary } from "@/components/migration/migrate/outcome/outcome-summary";
import { momentOf } from "@/components/migration/use-migration";
import type { Migration } from "@/lib/migration/migration-schema";
import { markupOf } from "@/tests/components/support/app-router";

const COUNTS = { created: 0, updated: 0, unchanged: 8, skipped: 2, failed: 0, deleted: 0 };

/** A migration that found 8 of 10 records here and skipped the others, as far as the summary reads it. */
function summary(outcome: Partial<Migration>, undecided = 0): string {
  const migration = {
    migration_id: "01890000-0000-7000-8000-000000000000",
    status: "completed",
    run_kind: "full",
    run_number: 1,
    objects: [{ ...COUNTS, source: 10, expected: 10 }],
    reconciled: true,
    outdated_by_undo: false,
    undo: null,
    ...outcome,
  } as Migration;
  const queries = new QueryClient();
  const group = { object: "Contact", outcome: "skipped", code: "undecided", count: undecided };
  if (undecided > 0) queries.setQueryData(queryKeys.issues(migration.migration_id, momentOf(migration)), [group]);
  return markupOf(<OutcomeSummary migration={migration} />, queries);
}

test("what the undo of another migration took out is told as that, not as a fault of the counts", () => {
  const shown = summary({ reconciled: false, outdated_by_undo: true });
  expect(shown).toContain("An undo may have taken records out");
  expect(shown).toContain("8 of 10 records were imported before an undo; 2 were skipped on purpose.");
  expect(shown).toContain("Another migration of this org was undone since");
  expect(shown).toContain("Run it again to bring them back.");
});

test("a delta no longer says that what was here stays", () => {
  const outdated = { reconciled: false, outdated_by_undo: true, run_kind: "delta", run_number: 2 } as const;
  expect(summary(outdated)).not.toContain("stays");
  expect(summary({ run_kind: "delta", run_number: 2 })).toContain("Everything else stays as it was.");
});

test("counts that do not add up are still called so", () => {
  expect(summary({ reconciled: false })).toContain("The counts do not add up");
  expect(summary({})).toContain("Every record is accounted for");
});

test("records that wait for a decision are told with those that are accounted for", () => {
  expect(summary({}, 1)).toContain("Every record is accounted for, and 1 waits for a decision");
  const delta = summary({ run_kind: "delta", run_number: 2 }, 2);
  expect(delta).toContain("accounted for, and 2 wait for a decision");
  expect(delta).toContain(
    "No change was migrated; 2 contacts were edited here and wait for a decision. Everything else stays as it was.",
  );
});

test("the changes that a delta has brought were made in Salesforce, and migrated here", () => {
  const objects = [{ ...COUNTS, updated: 2 }] as Migration["objects"];
  expect(summary({ run_kind: "delta", run_number: 2, objects })).toContain(
    "2 changes made in Salesforce since the run before were migrated.",
  );
});

test("files that failed are told beside the records, and nothing is called clean then", () => {
  const files = { stored: 3, unchanged: 0, skipped: 0, failed: 2, bytes: 9, seconds: 1, finished: true, left_out: [] };
  expect(summary({ files })).toContain("Every record is accounted for, but 2 files failed");
  expect(summary({ files })).not.toContain("data-clean");
  expect(summary({ files: { ...files, failed: 0 } })).toContain("data-clean");
});
