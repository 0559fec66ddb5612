import { QueryClient } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";

import { queryKeys } from "@/components/api/query-keys";
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
  reconnect?.mutate({ migrationId: ID, connectionId: ID });
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
