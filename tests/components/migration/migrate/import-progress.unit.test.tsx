import { expect, test } from "vitest";

import { ImportProgress } from "@/components/migration/migrate/progress/import-progress";
import type { Migration, ObjectProgress } from "@/lib/migration/migration-schema";
import { markupOf } from "@/tests/components/support/app-router";

const ACCOUNTS = {
  object: "Account",
  status: "running",
  source: 100,
  created: 47,
  updated: 0,
  unchanged: 0,
  skipped: 0,
  failed: 0,
} as ObjectProgress;

/** What screen readers are told of a run. */
function announced(status: Migration["status"], more: object = {}): string | undefined {
  const migration = { migration_id: "a", run_kind: "full", status, objects: [ACCOUNTS], files: null, ...more };
  const markup = markupOf(<ImportProgress migration={migration as unknown as Migration} at={0} />);
  return /<output[^>]*>(.*?)<\/output>/.exec(markup)?.[1];
}

test("how far a run has come is announced by ten percent, and not that it is paused, which its badge tells", () => {
  expect(announced("running")).toBe("40 percent done. Accounts are being imported.");
  expect(announced("paused")).toBe("40 percent done.");
});

test("files that are copied are announced by the hundred", () => {
  const files = { stored: 250, unchanged: 0, skipped: 0, failed: 0 };
  expect(announced("running", { files })).toBe("All records are read. Files are being copied. 200 files are done.");
  expect(announced("paused", { files })).toBe("All records are read. 200 files are done.");
});
