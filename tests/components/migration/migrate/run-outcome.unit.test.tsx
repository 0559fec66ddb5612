import { expect, test } from "vitest";

import { RunOutcome } from "@/components/migration/migrate/run-outcome";
import type { Migration } from "@/lib/migration/migration-schema";
import { markupOf } from "@/tests/components/support/app-router";

function outcome(status: Migration["status"]): string {
  const migration = {
    migration_id: "01890000-0000-7000-8000-000000000000",
    status,
    run_kind: "full",
    run_number: 1,
    ext_instance_url: "https://acme.my.salesforce.com",
    connected: true,
    objects: [],
    phases: [],
    files: null,
    reconciled: status === "completed",
    outdated_by_undo: false,
    delta_schedule: null,
    has_proof: true,
    undo: null,
    failure: null,
    started_at: null,
    finished_at: null,
  } as unknown as Migration;
  return markupOf(<RunOutcome migration={migration} isAdmin canSignIn={false} />);
}

test("what was undone is not compared with Salesforce: there is nothing left to compare", () => {
  expect(outcome("completed")).toContain("/proof");
  expect(outcome("undone")).toContain("Analyze again");
  expect(outcome("undone")).not.toContain("/proof");
});
