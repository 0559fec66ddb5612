import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";

import { Problem } from "@/components/api/problem";
import { queryKeys } from "@/components/api/query-keys";
import { WhatRefersToIt } from "@/components/records/actions/delete-record";
import { relationsTo } from "@/lib/records/schema/registry";
import { markupOf } from "@/tests/components/support/app-router";

const [FIRST, ...OTHERS] = relationsTo("cases").map(({ from, field }) =>
  queryKeys.records(from.resource, `count: ${field}=1`),
);

/** What is said of the counts: the first is `first`, all others none. */
function saidOf(first: { total: number } | Error | undefined): string {
  const queries = new QueryClient({ defaultOptions: { queries: { retryOnMount: false } } });
  for (const queryKey of OTHERS) queries.setQueryData(queryKey, { total: 0 });
  if (FIRST && first instanceof Error)
    queries.getQueryCache().build(queries, { queryKey: FIRST }).setState({ status: "error", error: first });
  else if (FIRST) queries.setQueryData(FIRST, first);
  return markupOf(<WhatRefersToIt resource="cases" id="1" />, queries);
}

test("before a record is deleted, it is told what goes with it, and that not all of it is counted", () => {
  expect(saidOf({ total: 3 })).toMatch(/>3 [^<]* it\./);
  expect(saidOf({ total: 3 })).not.toMatch(/Counting|could be counted/);
  expect(saidOf(undefined)).toContain("Counting what refers to it");
  expect(saidOf(new Problem({ title: "No connection", detail: "", code: "network" }))).toContain(
    "Not all that refers to it could be counted",
  );
});
