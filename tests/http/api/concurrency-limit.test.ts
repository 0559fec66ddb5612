import { expect, test, vi } from "vitest";

import { firstPage } from "@/app/(console)/[resource]/first-page";
import { Prefetched } from "@/app/prefetched";
import { readView } from "@/components/records/list/view/list-view";
import { acquireExportSlot, acquireSlot, inWriteSlot } from "@/lib/http/api/concurrency-limit";
import { newId } from "@/lib/ids";
import { listMigrations } from "@/lib/migration/read-migrations";
import { createAccessToken, createContext, insertRecord } from "@/tests/support/factories";
import { lockWaits } from "@/tests/support/lock-waits";
import { pool } from "@/tests/support/owner";

import { callerWith } from "@/tests/http/support/call-api";
import { callRoute } from "@/tests/http/support/call-route";

/** An organization's caller. */
async function caller() {
  const context = await createContext({ scopes: ["crm:write"] });
  return { context, call: callerWith(await createAccessToken(context)) };
}

test("requests of one organization that wait do not delay those of others", async () => {
  const [theirs, ours] = [await caller(), await caller()];
  const id = await insertRecord("products", theirs.context.organizationId);
  const client = await pool().connect();
  await client.query("BEGIN");
  await client.query("SELECT FROM products WHERE organization_id = $1 AND id = $2 FOR UPDATE", [
    theirs.context.organizationId,
    id,
  ]);
  let answered = 0;
  const changes = Array.from({ length: 30 }, async (_, number) => {
    const { status } = await theirs.call("PATCH", `/products/${id}`, { body: { name: `Pump ${number}` } });
    answered += 1;
    return status;
  });
  await expect.poll(() => lockWaits()).toBeGreaterThanOrEqual(10);
  expect(await lockWaits()).toBe(10);
  expect((await ours.call("GET", "/products")).status).toBe(200);
  expect((await ours.call("POST", "/products", { body: { name: "Valve" } })).status).toBe(201);
  expect(answered).toBe(0);
  await client.query("ROLLBACK");
  client.release();
  expect(new Set(await Promise.all(changes))).toEqual(new Set([200]));
});

test("the 201st waiting request is refused, a cancelled one leaves, and slots are given in order", async () => {
  const organization = newId();
  const staying = new AbortController().signal;
  const places = await Promise.all(Array.from({ length: 10 }, () => acquireSlot(organization, staying)));
  const entered: number[] = [];
  const leaving = new AbortController();
  const waiting = Array.from({ length: 200 }, async (_, number) => {
    const leave = await acquireSlot(organization, number === 0 ? leaving.signal : staying);
    entered.push(number);
    return leave;
  });
  await expect(acquireSlot(organization, staying)).rejects.toMatchObject({ code: "too_many_requests", retryAfter: 1 });
  setTimeout(() => leaving.abort());
  await expect(waiting[0]).rejects.toMatchObject({ code: "too_many_requests" });
  const last = acquireSlot(organization, staying);
  for (const leave of places) leave();
  await expect.poll(() => entered).toEqual(Array.from({ length: 10 }, (_, number) => number + 1));
  for (const place of waiting.slice(1)) (await place)();
  (await last)();
  // All have left: as many as before get a slot at once.
  await Promise.all(Array.from({ length: 10 }, () => acquireSlot(organization, staying)));
});

test("four writes go on at a time, the others in order; one that takes too long makes room", async () => {
  vi.useFakeTimers();
  const entered: number[] = [];
  const ends = Array.from({ length: 7 }, () => Promise.withResolvers<void>());
  const leaving = new AbortController();
  const writes = ends.map(({ promise }, number) =>
    inWriteSlot(number === 5 ? leaving.signal : new AbortController().signal, async () => {
      entered.push(number);
      await promise;
    }),
  );
  await vi.advanceTimersByTimeAsync(0);
  expect(entered).toEqual([0, 1, 2, 3]);
  ends[1]?.resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect(entered).toEqual([0, 1, 2, 3, 4]);
  leaving.abort();
  await expect(writes[5]).rejects.toMatchObject({ code: "too_many_requests" });
  await vi.advanceTimersByTimeAsync(1000);
  expect(entered).toEqual([0, 1, 2, 3, 4, 6]);
  for (const { resolve } of ends) resolve();
  await Promise.allSettled(writes);
  vi.useRealTimers();
});

test("an organization has three exports at a time, beside its other requests; the next is refused", async () => {
  const [ours, theirs] = [await caller(), await caller()];
  const ends = Array.from({ length: 3 }, () => acquireExportSlot(ours.context.organizationId, "list"));
  const refused = await ours.call("GET", "/products/export");
  expect(refused).toMatchObject({ status: 429, body: { code: "too_many_requests" } });
  expect((await ours.call("GET", "/products")).status).toBe(200);
  expect((await theirs.call("GET", "/products/export")).status).toBe(200);
  ends[0]?.();
  expect((await ours.call("GET", "/products/export")).status).toBe(200);
  expect((await ours.call("GET", "/products/export")).status).toBe(200);
});

test("ten downloads of files leave their organization the slots of other requests; the next one waits", async () => {
  const context = await createContext();
  const headers = { authorization: `Bearer ${await createAccessToken(context)}` };
  const statusOf = async (path: string) => (await callRoute("GET", path, headers)).status;
  const { signal } = new AbortController();
  const take = () => acquireSlot(context.organizationId, signal, "downloads of files");
  const ends = await Promise.all(Array.from({ length: 10 }, take));
  let isAnswered = false;
  const next = statusOf(`/files/${newId()}/content`).finally(() => (isAnswered = true));
  expect(await statusOf("/files")).toBe(200);
  expect(isAnswered).toBe(false);
  ends[0]?.();
  expect(await next).toBe(404);
});

test("what a page shows is read in the same slots; where none is free, the page comes without it", async () => {
  const context = await createContext();
  const view = readView("products", new URLSearchParams(), null);
  const queries = [{ key: ["migrations"], operation: listMigrations, input: {}, list: "pages" as const }];
  const read = async () => {
    const [list, page] = await Promise.all([
      firstPage(context, "products", view),
      Prefetched({ context, queries, children: null }),
    ]);
    const { state } = page.props as { state: { queries: unknown[] } };
    return [list !== null, state.queries.length];
  };
  const { signal } = new AbortController();
  const ends = await Promise.all(Array.from({ length: 10 }, () => acquireSlot(context.organizationId, signal)));
  expect(await read()).toEqual([false, 0]);
  ends[0]?.();
  expect(await read()).toEqual([true, 1]);
  expect(await read()).toEqual([true, 1]);
});
