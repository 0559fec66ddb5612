import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";

import { queryKeys } from "@/components/api/query-keys";
import { RecordDetail } from "@/components/records/record-detail";
import { markupOf } from "@/tests/components/support/app-router";

/** The page of an account: its heading, and whether its name stands among its fields as well. */
function pageOf(name: string): { heading: string; isRepeated: boolean } {
  const queries = new QueryClient();
  const item = { id: "1", version: 1, created_at: "2026-01-01T00:00:00.000Z", name, custom_fields: {} };
  queries.setQueryData(queryKeys.record("accounts", "1"), item);
  const page = markupOf(<RecordDetail resource="accounts" id="1" />, queries);
  const heading = /<h1[^>]*>(.*?)<\/h1>/.exec(page)?.[1]?.replaceAll(/<[^>]+>/g, "") ?? "";
  return { heading, isRepeated: page.includes(`<bdi>${name}</bdi></dd>`) || page.includes(`>${name}</dd>`) };
}

test("the heading of a record has the beginning of a very long name, which then stands whole among the fields", () => {
  expect(pageOf("Acme")).toEqual({ heading: "Acme", isRepeated: false });
  const long = "integrationuserofthenorthernregion".repeat(5);
  expect(pageOf(long)).toEqual({ heading: `${long.slice(0, 90)}…`, isRepeated: true });
});
