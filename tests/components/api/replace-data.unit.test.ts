import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, test } from "vitest";

import { replaceData } from "@/components/api/query-keys";

test("what a change has returned stays, although a read that began before it is answered later", async () => {
  const queries = new QueryClient();
  const answer = Promise.withResolvers<string>();
  const observer = new QueryObserver(queries, { queryKey: ["search"], queryFn: () => answer.promise });
  const stopObserving = observer.subscribe(() => undefined);
  await replaceData(queries, ["search"], "searching");
  answer.resolve("no search");
  await answer.promise;
  await new Promise((done) => setImmediate(done));
  expect(observer.getCurrentResult()).toMatchObject({ data: "searching", fetchStatus: "idle" });
  stopObserving();
});
