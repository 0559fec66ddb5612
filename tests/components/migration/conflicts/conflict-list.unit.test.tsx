import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";

import { queryKeys } from "@/components/api/query-keys";
import { ConflictList, TogetherQuestion } from "@/components/migration/conflicts/conflict-list";
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

test("the region that tells what was decided is there before: screen readers tell what changes within it", () => {
  const queries = new QueryClient();
  const open = { id: "2", object: "Contact", resource: "contacts", record_id: "3", name: "Ada", fields: [] };
  const page = { data: [open], next_cursor: null, has_more: false };
  queries.setQueryData(queryKeys.conflicts("1", momentOf(MIGRATION)), { pages: [page], pageParams: [""] });
  const markup = markupOf(<ConflictList migration={MIGRATION} />, queries);
  expect(markup).toContain("Decide Ada");
  expect(markup).toContain("<output></output>");
});
