import { expect, test } from "vitest";

import { RunOutcome } from "@/components/migration/migrate/outcome/run-outcome";
import type { Migration } from "@/lib/migration/migration-schema";
import { markupOf } from "@/tests/components/support/app-router";

function outcome(status: Migration["status"], more: object = {}, isAdmin = true): string {
  const migration = {
    migration_id: "01890000-0000-7000-8000-000000000000",
    status,
    run_kind: "full",
    run_number: 1,
    ext_instance_url: "https://acme.my.salesforce.com",
    connected: true,
    renewable: true,
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
    ...more,
  } as unknown as Migration;
  return markupOf(<RunOutcome migration={migration} isAdmin={isAdmin} />);
}

test("what was undone is not compared with Salesforce: there is nothing left to compare", () => {
  expect(outcome("completed")).toContain("/proof");
  expect(outcome("undone")).toContain("Analyze again");
  expect(outcome("undone")).not.toContain("/proof");
});

/** The variant of the button with these words. */
const variantOf = (page: string, words: string) =>
  new RegExp(`<button[^>]*data-variant="(\\w+)"[^>]*>(?:(?!</button>).)*${words}`).exec(page)?.[1];

const STOPPED = { undo: { started_at: "2026-11-25T08:00:00.000Z", finished_at: null, failed: true, resources: [] } };

test("an undo that stopped is told as that, and goes on by another undo, not by a run", () => {
  const page = outcome("failed", STOPPED);
  expect(page).toContain("The undo stopped");
  expect(page).toContain("stopped before its end");
  expect([variantOf(page, "Run again"), variantOf(page, "Undo the migration")]).toEqual(["default", "filled"]);
  expect(page).not.toContain("Only admins undo");
  expect(outcome("failed", STOPPED, false)).toContain("Only admins undo a migration: ask one of them.");
});

test("a run that stopped goes on by another run", () => {
  const page = outcome("failed");
  expect(page).toContain("The migration stopped");
  expect([variantOf(page, "Run again"), variantOf(page, "Undo the migration")]).toEqual(["filled", "default"]);
});

test("a run that lost its access asks for new access, on its page", () => {
  const failure = { code: "source_token_refused", detail: "The access token has expired.", remedy: "" };
  expect(outcome("failed", { failure })).toContain("Give new access");
  expect(outcome("failed", { failure: { ...failure, code: "source_unreachable" } })).not.toContain("Give new access");
  expect(outcome("failed", { failure: { ...failure, denied: true } })).not.toContain("Give new access");
  expect(outcome("failed", { connected: false, failure }).match(/Give new access/g)).toHaveLength(1);
});

test("files that failed are copied by another run, and the page says so", () => {
  const files = { stored: 3, unchanged: 0, skipped: 0, failed: 0, bytes: 9, seconds: 1, finished: true, left_out: [] };
  expect(outcome("completed", { files })).not.toContain("once more");
  expect(outcome("completed", { files: { ...files, failed: 2 } })).toContain(
    "Run the migration again to try those that failed once more.",
  );
  expect(outcome("failed", { ...STOPPED, files: { ...files, failed: 2 } })).not.toContain("once more");
});

test("deltas with an access token are offered with what happens when it expires", () => {
  const schedule = { started_at: "2026-11-25T08:00:00.000Z" };
  expect(outcome("completed", { ...schedule, renewable: false })).toContain("is not renewed: when it expires");
  expect(outcome("completed", schedule)).toContain("Start a delta by itself");
  expect(outcome("completed", schedule)).not.toContain("is not renewed");
});
