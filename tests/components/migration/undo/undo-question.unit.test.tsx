import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, test } from "vitest";

import { Problem } from "@/components/api/problem";
import { queryKeys } from "@/components/api/query-keys";
import { UndoQuestion } from "@/components/migration/undo/undo-question";
import type { UndoImpact } from "@/lib/migration/undo/undo-schema";
import { markupOf } from "@/tests/components/support/app-router";

function questionOver(queries: QueryClient): string {
  return markupOf(<UndoQuestion id="1" onClose={() => undefined} />, queries);
}

function question(count: number): string {
  const keep = [{ code: "attached", reason: "Another record that stays refers to this one.", count }];
  const resources = [{ resource: "accounts", delete: 9, restore: 0, keep }];
  const impact = { resources, files: 0, files_kept: 0, purged: count, outdates: [] } as unknown as UndoImpact;
  const queries = new QueryClient();
  queries.setQueryData(queryKeys.undoImpact("1"), impact);
  return questionOver(queries);
}

test("the question before an undo speaks of one record or of several, and of what has not happened yet", () => {
  expect(question(1)).toContain("1 account: Another record that stays refers to this one.");
  expect(question(7)).toContain("7 accounts: Other records that stay refer to them.");
  expect(question(1)).toContain("1 record that has been deleted here can then no longer be restored.");
  expect(question(7)).toContain("Will be deleted");
});

/** After a refusal of the numbers. Reads that have failed are not repeated while they are shown. */
function refused(status: number, code: string): QueryClient {
  const queries = new QueryClient({ defaultOptions: { queries: { retryOnMount: false } } });
  const error = new Problem({ title: "Refused", detail: "Try again later.", status, code });
  const query = queries.getQueryCache().build(queries, { queryKey: queryKeys.undoImpact("1") });
  query.setState({ status: "error", error });
  return queries;
}

test("a migration whose numbers take too long to count can be undone all the same, and others cannot", () => {
  const slow = questionOver(refused(503, "service_unavailable"));
  expect(slow).toContain("could not be counted in time");
  expect(slow).toContain("to confirm");
  expect(questionOver(refused(404, "not_found"))).not.toContain("to confirm");
});

test("that question stays when the reader comes back to the page, or the network does", () => {
  const queries = refused(503, "service_unavailable");
  questionOver(queries);
  const queryKey = queryKeys.undoImpact("1");
  const read = new QueryObserver(queries, { queryKey, ...queries.getQueryCache().find({ queryKey })?.options });
  expect(read.shouldFetchOnWindowFocus()).toBe(false);
  expect(read.shouldFetchOnReconnect()).toBe(false);
});
