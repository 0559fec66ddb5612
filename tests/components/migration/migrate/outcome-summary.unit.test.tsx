import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";

import { OutcomeSummary } from "@/components/migration/migrate/outcome-summary";
import type { Migration } from "@/lib/migration/migration-schema";

const COUNTS = { created: 0, updated: 0, unchanged: 8, skipped: 2, failed: 0, deleted: 0 };

/** A migration that found 8 of 10 records here and skipped the others, as far as the summary reads it. */
function summary(outcome: Partial<Migration>): string {
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
  return renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <MantineProvider>
        <OutcomeSummary migration={migration} />
      </MantineProvider>
    </QueryClientProvider>,
  );
}

test("what the undo of another migration took out is told as that, not as a fault of the counts", () => {
  const shown = summary({ reconciled: false, outdated_by_undo: true });
  expect(shown).toContain("An undo may have taken records out");
  expect(shown).toContain("8 of 10 records were here before an undo; 2 were skipped on purpose.");
  expect(shown).toContain("Another migration of this org was undone since");
  expect(shown).toContain("Run it again to bring them back.");
});

test("a delta no longer says that what was here stays", () => {
  const outdated = { reconciled: false, outdated_by_undo: true, run_kind: "delta", run_number: 2 } as const;
  expect(summary(outdated)).not.toContain("stays");
  expect(summary({ run_kind: "delta", run_number: 2 })).toContain("What was here stays.");
});

test("counts that do not add up are still called so", () => {
  expect(summary({ reconciled: false })).toContain("The counts do not add up");
  expect(summary({})).toContain("Every record is accounted for");
});
