import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";

import type { IssueGroup } from "@/components/migration/migrate/issues/issue-words";
import { useIssues } from "@/components/migration/migrate/issues/use-issues";
import type { Migration } from "@/lib/migration/migration-schema";
import { markupOf } from "@/tests/components/support/app-router";

const GROUP = { object: "Account", outcome: "failed", code: "too_long" } as IssueGroup;

function Issues({ run }: { run: number }) {
  useIssues({ migration_id: "1", run_number: run, status: "completed" } as Migration, GROUP);
  return null;
}

test("the records that another run left out are other ones", () => {
  const queries = new QueryClient();
  for (const run of [1, 2, 2]) markupOf(<Issues run={run} />, queries);
  expect(queries.getQueryCache().getAll()).toHaveLength(2);
});
