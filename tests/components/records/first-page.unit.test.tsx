import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";

import { useRecords } from "@/components/records/list/use-records";
import { apiQuery } from "@/components/records/list/view/list-row";
import { readView } from "@/components/records/list/view/list-view";
import { markupOf } from "@/tests/components/support/app-router";

const VIEW = readView("products", new URLSearchParams(), null);

/** Whether a list that came with a page so long ago is read again when that page is shown. */
function isReadAgain(minutesAgo: number): boolean {
  const queries = new QueryClient();
  const first = {
    query: apiQuery("products", VIEW).toString(),
    page: { rows: [], next_cursor: null },
    readAt: Date.now() - minutesAgo * 60_000,
  };
  function List() {
    useRecords("products", VIEW, first);
    return null;
  }
  markupOf(<List />, queries);
  const [list] = queries.getQueryCache().getAll();
  return list?.isStaleByTime(10_000) ?? false;
}

test("a list that has just come with its page is not read twice", () => {
  expect(isReadAgain(0)).toBe(false);
});

test("one that came long ago, as after Back, is read again", () => {
  expect(isReadAgain(10)).toBe(true);
});
