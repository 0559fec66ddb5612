import { expect, test } from "vitest";

import type { Context } from "@/lib/context";
import { batchOperation } from "@/lib/records/batch/batch-operation";
import { createOperation } from "@/lib/records/operations";
import { createContext, insertRecord } from "@/tests/support/factories";

import { type Answer, run } from "@/tests/records/support/write-operations";

interface Result {
  status: string;
  record: Answer;
  problem: { code: string; detail: string; errors: { pointer: string; code: string; detail: string }[] };
}

async function perItem(context: Context, items: unknown[]): Promise<Result[]> {
  const { results } = await run(batchOperation("accounts"), context, { mode: "per_item", items });
  return results as Result[];
}

const faultsOf = ({ problem }: Result) => problem.errors.map(({ pointer, code }) => `${pointer} ${code}`);

test("two items for the same record are refused, each by its index: 200 made 184 MB", async () => {
  const context = await createContext();
  const known = await run(createOperation("accounts"), context, { name: "Known", description: "x".repeat(100_000) });
  const twice = Array.from({ length: 200 }, () => ({
    action: "update",
    id: known.id,
    data: { website: "example.com" },
  }));
  const refused = await run(batchOperation("accounts"), context, { mode: "all_or_nothing", items: twice }).catch(
    (error: unknown) => error,
  );
  expect(refused).toMatchObject({
    code: "invalid_request",
    errors: [{ pointer: "/items/1/id", code: "repeated_item" }, ...Array.from({ length: 99 }, () => ({}))],
  });
  const results = await perItem(context, [
    ...["One", "Two"].map((name) => ({ action: "upsert", ext_id: "A-1", data: { name } })),
    { action: "update", id: known.id, data: { name: "Three" } },
    { action: "update", id: known.id.toUpperCase(), data: { name: "Four" } },
  ]);
  expect(results.map(({ status }) => status)).toEqual(["created", "failed", "updated", "failed"]);
  expect(results.flatMap((result) => (result.status === "failed" ? faultsOf(result) : []))).toEqual([
    "/items/1/ext_id repeated_item",
    "/items/3/id repeated_item",
  ]);
});

test("an item by id and one by external id for the same record are written one after the other", async () => {
  const context = await createContext();
  const known = await run(createOperation("accounts"), context, { name: "One", ext_id: "A-1" });
  const results = await perItem(context, [
    { action: "upsert", ext_id: "A-1", data: { name: "Two" } },
    { action: "update", id: known.id, data: { website: "example.com" } },
  ]);
  expect(results.at(-1)?.record).toMatchObject({ name: "Two", website: "example.com", version: 3 });
});

test("records of more than 8 MiB together are refused before they are read; 42 had a response of 33 MB", async () => {
  const context = await createContext();
  const known: { id: string; ext_id: string }[] = [];
  for (let n = 0; n < 42; n += 1) {
    const ext_id = `A-${n}`;
    known.push({
      id: await insertRecord("accounts", context.organizationId, { ext_id, description: "\u0001".repeat(131_072) }),
      ext_id,
    });
  }
  const data = { website: "example.com" };
  const byId = (count: number) => known.slice(0, count).map(({ id }) => ({ action: "update", id, data }));
  const byExtId = (count: number) => known.slice(-count).map(({ ext_id }) => ({ action: "upsert", ext_id, data }));
  for (const items of [byId(42), byExtId(42), byId(11), [...byId(6), ...byExtId(5)]])
    await expect(perItem(context, items)).rejects.toMatchObject({ code: "payload_too_large" });
  expect((await perItem(context, [...byId(6), ...byExtId(4)])).map(({ status }) => status)).toEqual(
    Array(10).fill("updated"),
  );
});
