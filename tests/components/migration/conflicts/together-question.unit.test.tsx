import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";

import { queryKeys } from "@/components/api/query-keys";
import { TogetherQuestion } from "@/components/migration/conflicts/conflict-list";
import { momentOf } from "@/components/migration/use-migration";
import type { Migration } from "@/lib/migration/migration-schema";
import { markupOf } from "@/tests/components/support/app-router";

const MIGRATION = { migration_id: "1", status: "completed", run_number: 1 } as Migration;

const nothing = () => undefined;

function question(take: "ours" | "source"): string {
  const queries = new QueryClient();
  const group = { object: "Contact", outcome: "skipped", code: "undecided", count: 1204 };
  queries.setQueryData(queryKeys.issues("1", momentOf(MIGRATION)), [group]);
  return markupOf(
    <TogetherQuestion
      migration={MIGRATION}
      decision={{ object: "Contact", take }}
      onDecide={nothing}
      onClose={nothing}
    />,
    queries,
  );
}

test.each(["ours", "source"] as const)("a decision for all says for how many, also where all stay: %s", (take) => {
  expect(question(take)).toContain("all 1,204 contacts that wait for a decision");
  expect(question(take)).toContain("also for those that are not shown yet");
});
