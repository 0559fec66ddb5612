import { QueryClient } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";

import { queryKeys } from "@/components/api/query-keys";
import { rememberedReconnect, rememberReconnect } from "@/components/migration/control/remembered-reconnect";
import { useReconnect, useReconnectReturned } from "@/components/migration/control/use-reconnect";
import { guardLeaving, stopGuarding } from "@/components/ui/leave/leaving";
import { markupOf } from "@/tests/components/support/app-router";

const ID = "01890000-0000-7000-8000-000000000000";

afterEach(() => {
  stopGuarding();
  vi.unstubAllGlobals();
});

test("who types elsewhere by the time a migration is connected again is asked before they are led to it", async () => {
  let reconnect: ReturnType<typeof useReconnectReturned> | undefined;
  function Page() {
    reconnect = useReconnectReturned();
    return null;
  }
  markupOf(<Page />);
  vi.stubGlobal("fetch", async () => Response.json({ migration_id: ID }));
  vi.stubGlobal("sessionStorage", { getItem: () => null });
  vi.stubGlobal("window", Object.assign(new EventTarget(), { location: new URL("https://crm.example/accounts/new") }));
  const asked: string[] = [];
  guardLeaving({ what: "The values you have entered", ask: (_, lost) => asked.push(lost) });
  reconnect?.mutate({ migrationId: ID, path: `/migration/${ID}/configure`, connectionId: ID });
  await vi.waitFor(() => expect(asked).toEqual(["The values you have entered"]));
});

test("with new access, what the org refused to tell of its owners and links is asked for again", async () => {
  const queries = new QueryClient();
  queries.setQueryData(queryKeys.owners(ID), {});
  let reconnect: ReturnType<typeof useReconnect> | undefined;
  function Page() {
    reconnect = useReconnect(ID);
    return null;
  }
  markupOf(<Page />, queries);
  vi.stubGlobal("fetch", async () => Response.json({ migration_id: ID }));
  vi.stubGlobal("sessionStorage", { getItem: () => null });
  reconnect?.mutate({ connection_id: ID });
  await vi.waitFor(() => expect(queries.getQueryState(queryKeys.owners(ID))?.isInvalidated).toBe(true));
});

test("a sign-in for a migration returns to the page that asked for it, and to no other address", () => {
  const stored = new Map<string, string>();
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  });
  const path = `/migration/${ID}/configure?part=owners`;
  rememberReconnect(path);
  expect(rememberedReconnect()).toEqual({ migrationId: ID, path });
  rememberReconnect(ID);
  expect(rememberedReconnect()).toEqual({ migrationId: ID, path: `/migration/${ID}/migrate` });
  for (const other of [
    `/migration/${ID}`,
    `//evil.example${path}`,
    `/migration/${ID}/configure/more`,
    "/migration/new",
  ]) {
    rememberReconnect(other);
    expect(rememberedReconnect()).toBeNull();
  }
});
