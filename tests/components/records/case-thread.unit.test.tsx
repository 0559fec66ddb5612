import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";

import { Problem } from "@/components/api/problem";
import { queryKeys } from "@/components/api/query-keys";
import { AddComment } from "@/components/records/thread/add-comment";
import { CaseThread } from "@/components/records/thread/case-thread";
import { markupOf } from "@/tests/components/support/app-router";

test("a thread whose files cannot be loaded is shown, and says so", () => {
  const queries = new QueryClient({ defaultOptions: { queries: { retryOnMount: false } } });
  queries.setQueryData(queryKeys.thread("1"), []);
  expect(markupOf(<CaseThread caseId="1" />, queries)).not.toContain("could not be loaded");
  queries
    .getQueryCache()
    .find({ queryKey: queryKeys.threadFiles("1") })
    ?.setState({ status: "error", error: new Problem({ title: "No connection", detail: "", code: "network" }) });
  const markup = markupOf(<CaseThread caseId="1" />, queries);
  expect(markup).toContain("The files of the thread could not be loaded.");
  expect(markup).toContain("Nobody has written anything on this case.");
});

test("the form of a comment promises nothing that is not done: nobody is written to", () => {
  const text = markupOf(<AddComment caseId="1" />).replaceAll(/<style.*?<\/style>|<[^>]*>/gs, " ");
  expect(text).toContain("Nothing is sent to the customer");
  expect(text).not.toMatch(/reply/i);
});

test("the time of an entry leads to its page, where it is corrected and deleted", () => {
  const queries = new QueryClient();
  const entry = { id: "2", created_at: "2026-05-04T07:00:00Z", body: "Hello", is_public: false, custom_fields: {} };
  queries.setQueryData(queryKeys.thread("1"), [entry]);
  expect(markupOf(<CaseThread caseId="1" />, queries)).toMatch(/<a[^>]*href="\/case_comments\/2"[^>]*><time/);
});

test("a draft that came with a migration says so, and no other entry", () => {
  const queries = new QueryClient();
  const entry = {
    id: "2",
    created_at: "2026-05-04T07:00:00Z",
    body: "Hello",
    kind: "email_outbound",
    is_public: false,
  };
  const markupWith = (fields: object) => {
    queries.setQueryData(queryKeys.thread("1"), [{ ...entry, ...fields }]);
    return markupOf(<CaseThread caseId="1" />, queries);
  };
  expect(markupWith({ custom_fields: { Status: "5" } })).toContain(">Draft<");
  expect(markupWith({ custom_fields: { Status: "3" } })).not.toContain(">Draft<");
  expect(markupWith({ kind: "comment", custom_fields: { Status: "5" } })).not.toContain(">Draft<");
});
