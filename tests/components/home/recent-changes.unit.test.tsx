import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";

import { queryKeys } from "@/components/api/query-keys";
import { RecentChanges } from "@/components/home/recent-changes";
import { TEST_EVENT } from "@/lib/event-format";
import { markupOf } from "@/tests/components/support/app-router";

const event = (type: string, index: number) => ({
  id: `event-${index}`,
  type,
  timestamp: "2026-01-01T00:00:00.000Z",
  data: { object: { id: `record-${index}`, version: 1, name: `Acme ${index}` } },
});

function shown(types: readonly string[]): string {
  const queries = new QueryClient();
  const page = { data: types.map(event), next_cursor: null, has_more: false };
  queries.setQueryData(queryKeys.events(), { pages: [page], pageParams: [""] });
  return markupOf(<RecentChanges />, queries);
}

test("the recent changes are those of records: tests of webhooks are none, even if there is nothing else", () => {
  const tests = Array.from({ length: 20 }, () => TEST_EVENT);
  expect(shown([...tests, "account.created"]).match(/<li/g)).toHaveLength(1);
  expect(shown(tests)).not.toContain("<ol");
  expect(shown(tests)).toContain("No recent changes.");
});
