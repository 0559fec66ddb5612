import { MantineProvider } from "@mantine/core";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";

import { ReconciliationTable } from "@/components/migration/migrate/reconciliation-table";
import type { Migration, ObjectProgress } from "@/lib/migration/migration-schema";

const COUNTS = { created: 0, updated: 0, unchanged: 10, skipped: 0, failed: 0, deleted: 0 };

/** The row of accounts, of which 10 were found here. */
function row(outcome: Partial<ObjectProgress>, isOutdated = false): string {
  const objects = [{ ...COUNTS, object: "Account", resource: "accounts", status: "done", source: 10, ...outcome }];
  return renderToStaticMarkup(
    <MantineProvider>
      <ReconciliationTable
        migration={{ migration_id: "1", run_kind: "full", outdated_by_undo: isOutdated, objects } as Migration}
      />
    </MantineProvider>,
  );
}

test("an object adds up, did so before an undo, is not finished, or lacks records", () => {
  expect(row({ reconciled: true })).toContain("Yes");
  expect(row({ reconciled: false }, true)).toContain("Before an undo");
  expect(row({ reconciled: false, status: "running" }, true)).toContain("Not finished");
  expect(row({ reconciled: false })).toContain("Not finished");
  expect(row({ reconciled: false, source: 12 })).toContain("2 missing");
});
