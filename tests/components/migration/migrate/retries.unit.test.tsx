import { expect, test } from "vitest";

import { IssueList } from "@/components/migration/migrate/issues/issue-list";
import type { Migration } from "@/lib/migration/migration-schema";
import { markupOf } from "@/tests/components/support/app-router";

function shown(outcome: Partial<Migration>): string {
  const migration = {
    migration_id: "01890000-0000-7000-8000-000000000000",
    status: "completed_with_errors",
    connected: true,
    run_kind: "full",
    reconciled: true,
    outdated_by_undo: false,
    objects: [{ object: "Account", failed: 3 }],
    ...outcome,
  };
  return markupOf(<IssueList migration={migration as unknown as Migration} />);
}

test.each([
  ["a run that has read everything", { reconciled: true }],
  ["a retry that was cancelled", { status: "cancelled", reconciled: false, run_kind: "retry" }],
] as const)("failed records can be retried after %s", (_, outcome) => {
  expect(shown(outcome)).toContain("A retry reads only the 3 records that failed");
  expect(shown(outcome)).not.toContain("disabled");
});

test.each([
  ["a run that was cancelled", { status: "cancelled", reconciled: false }, "The last run has not read everything"],
  ["a delta that has failed", { status: "failed", reconciled: false, run_kind: "delta" }, "has not read everything"],
  ["an undo of another migration", { reconciled: false, outdated_by_undo: true }, "An undo may have taken records out"],
  [
    "such an undo after a retry",
    { reconciled: false, outdated_by_undo: true, run_kind: "retry" },
    "An undo may have taken records out",
  ],
] as const)("after %s a full run is advised, since a retry would be refused", (_, outcome, reason) => {
  expect(shown(outcome)).toContain(reason);
  expect(shown(outcome)).toContain("so no retry can start");
  expect(shown(outcome)).toContain("disabled");
});

test("nothing is retried while the org is disconnected", () => {
  expect(shown({ connected: false })).toContain("disabled");
});
