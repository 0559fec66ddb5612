import { QueryClient } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";

import { queryKeys } from "@/components/api/query-keys";
import { useDecide } from "@/components/migration/conflicts/use-conflicts";
import { markupOf } from "@/tests/components/support/app-router";

const ID = "01890000-0000-7000-8000-000000000000";

afterEach(() => vi.unstubAllGlobals());

test("after a decision, what was left out is counted anew: what waited for it no longer does", async () => {
  vi.stubGlobal("fetch", async () => Response.json({ decided: 1, not_decided: [], has_more: false }));
  const queries = new QueryClient();
  const keys = [queryKeys.conflicts(ID, "1 completed"), queryKeys.issues(ID, "1 completed"), queryKeys.migration(ID)];
  for (const key of keys) queries.setQueryData(key, []);
  let decide: ReturnType<typeof useDecide> | undefined;
  function Page() {
    decide = useDecide(ID);
    return null;
  }
  markupOf(<Page />, queries);
  decide?.mutate({ object: "Contact", take: "ours" });
  await vi.waitFor(() =>
    expect(keys.map((key) => queries.getQueryState(key)?.isInvalidated)).toEqual([true, true, true]),
  );
});
