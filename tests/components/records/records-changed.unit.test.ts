import { QueryClient, type QueryKey } from "@tanstack/react-query";
import { expect, test } from "vitest";

import { queryKeys } from "@/components/api/query-keys";
import { columnKey } from "@/components/records/board/board-queries";
import { recordsChanged } from "@/components/records/records-changed";

const ABOUT_RECORDS: QueryKey[] = [
  queryKeys.records("accounts", "rows: "),
  queryKeys.deletedRecords("cases"),
  queryKeys.thread("1"),
  columnKey("proposal"),
  queryKeys.recordCounts(),
  queryKeys.events(),
  queryKeys.pipeline(),
  queryKeys.stageChanges("1"),
  queryKeys.search("valve"),
  queryKeys.provenance("cases", "1"),
];

const OTHERS: QueryKey[] = [queryKeys.record("cases", "1"), queryKeys.savedViews("cases"), queryKeys.migrations()];

test("after a change of records, all that lists, counts or tells of them is read again, and nothing else", async () => {
  const queries = new QueryClient();
  for (const queryKey of [...ABOUT_RECORDS, ...OTHERS]) queries.setQueryData(queryKey, {});
  await recordsChanged(queries);
  const stale = queries.getQueryCache().findAll({ predicate: ({ state }) => state.isInvalidated });
  expect(stale.map(({ queryKey }) => queryKey)).toEqual(ABOUT_RECORDS);
});
