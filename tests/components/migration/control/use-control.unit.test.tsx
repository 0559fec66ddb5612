import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, expect, test, vi } from "vitest";

import { queryKeys } from "@/components/api/query-keys";
import { useControl } from "@/components/migration/control/use-control";

const ID = "01890000-0000-7000-8000-000000000000";
const REFUSAL = { title: "Not now", detail: "Only from `paused`.", code: "illegal_state" };

afterEach(() => vi.unstubAllGlobals());

/** A service that refuses each action while the migration has `status`. */
function refusing(status: string) {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (path: string, { method = "GET" }: RequestInit) => {
    asked.push(`${method} ${path}`);
    if (method === "GET") return Response.json({ status, run_kind: "full", phases: [] });
    return Response.json(REFUSAL, { status: 409, headers: { "content-type": "application/problem+json" } });
  });
  return asked;
}

function controlled(onDone?: () => void) {
  const queries = new QueryClient();
  let control: ReturnType<typeof useControl> | undefined;
  function Page() {
    control = useControl(ID, onDone);
    return null;
  }
  renderToStaticMarkup(
    <QueryClientProvider client={queries}>
      <Page />
    </QueryClientProvider>,
  );
  const mutate = (action: "resume" | "pause") => control?.mutate(action);
  return { queries, mutate, state: () => queries.getMutationCache().getAll().at(-1)?.state };
}

test("what another tab has done just before is no refusal but what is now", async () => {
  refusing("running");
  const { mutate, queries, state } = controlled();
  mutate("resume");
  await vi.waitFor(() => expect(state()?.status).toBe("success"));
  expect(queries.getQueryData(queryKeys.migration(ID))).toMatchObject({ status: "running" });
});

test("what is not so is refused", async () => {
  refusing("failed");
  const { mutate, state } = controlled();
  mutate("resume");
  await vi.waitFor(() => expect(state()?.error?.message).toBe(REFUSAL.detail));
});

test("a double click is one request", async () => {
  const asked = refusing("paused");
  const { mutate, state } = controlled();
  mutate("pause");
  mutate("pause");
  await vi.waitFor(() => expect(state()?.status).toBe("success"));
  expect(asked.filter((request) => request.startsWith("POST"))).toHaveLength(1);
});

test("what the reader has not seen yet is told in the words of the pages, not in those of the API", async () => {
  refusing("undoing");
  const { mutate, queries, state } = controlled();
  queries.setQueryData(queryKeys.migration(ID), { status: "completed" });
  mutate("resume");
  await vi.waitFor(() => expect(state()?.status).toBe("error"));
  expect(state()?.error?.message).toBe("It is “Being undone” now, so nothing was done. Look at it, then try again.");
});
