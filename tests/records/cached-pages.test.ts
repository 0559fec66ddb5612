import { setTimeout as delay } from "node:timers/promises";

import { expect, test } from "vitest";

import type { Context } from "@/lib/context";
import { execute, JsonText, valueOf } from "@/lib/operation";
import { listInput, listRequest } from "@/lib/records/list/list-input";
import { cachePage, cachedPage, evictUnused } from "@/lib/records/list/list-records";
import { listStatement } from "@/lib/records/list/list-statement";
import { createOperation, deleteOperation, listOperation } from "@/lib/records/operations";
import { ENTITIES } from "@/lib/records/schema/registry";
import { createContext } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

const PAGES = 40;

interface Page {
  data: { id: string; name: string }[];
  has_more: boolean;
}

async function create(context: Context, name: string): Promise<string> {
  const created = valueOf(await execute(createOperation("products"), context, { name, family: name })) as {
    id: string;
  };
  return created.id;
}

async function list(context: Context, parameters: object = {}): Promise<Page> {
  return valueOf(await execute(listOperation("products"), context, parameters)) as Page;
}

async function names(context: Context, parameters: object = {}): Promise<string[]> {
  return (await list(context, parameters)).data.map(({ name }) => name);
}

function statement(number: number) {
  return { text: `page ${number}`, values: [] };
}

function page(length: number) {
  return { tag: "t", page: new JsonText("x".repeat(length)) };
}

test("a cached page shows what has changed since, whoever changed it, and how", async () => {
  const context = await createContext();
  const first = await create(context, "Saw");
  expect([await names(context), await names(context)]).toEqual([["Saw"], ["Saw"]]);
  await create(context, "Drill");
  expect(await names(context)).toEqual(["Drill", "Saw"]);
  await pool().query("UPDATE products SET name = 'Jigsaw' WHERE id = $1", [first]);
  expect(await names(context)).toEqual(["Drill", "Jigsaw"]);
  await execute(deleteOperation("products"), context, { id: first });
  expect(await names(context)).toEqual(["Drill"]);
});

test("the record after a full page is part of the page: when it is deleted, there is no next page", async () => {
  const context = await createContext();
  const oldest = await create(context, "Saw");
  await create(context, "Drill");
  for (const _ of [1, 2])
    expect(await list(context, { limit: "1" })).toMatchObject({ data: [{ name: "Drill" }], has_more: true });
  await execute(deleteOperation("products"), context, { id: oldest });
  for (const _ of [1, 2])
    expect(await list(context, { limit: "1" })).toMatchObject({ data: [{ name: "Drill" }], has_more: false });
});

test("the same request has a page for each organization, each filter and each total", async () => {
  const [ours, theirs] = [await createContext(), await createContext()];
  await create(ours, "Saw");
  await create(theirs, "Drill");
  for (const _ of [1, 2, 3]) {
    expect(await names(ours)).toEqual(["Saw"]);
    expect(await names(theirs)).toEqual(["Drill"]);
    expect(await names(ours, { family: "Drill" })).toEqual([]);
    expect(await list(ours, { include: "total" })).toMatchObject({ total: 1 });
  }
});

test("for a cached page, PostgreSQL is asked only for the tag, which is that of the page", async () => {
  const context = await createContext();
  await create(context, "Saw");
  const request = listRequest(ENTITIES.products, listInput(ENTITIES.products).parse({}), context);
  const { text, tagText = "", values } = listStatement(ENTITIES.products, context.organizationId, request);
  const ask = async (asked: string) =>
    (await pool().query<unknown[]>({ text: asked, values, rowMode: "array" })).rows[0];
  const [records, , , tag] = (await ask(text)) ?? [];
  expect(records).toContain("Saw");
  expect(await ask(tagText)).toEqual([tag]);
});

function keepAskedAgain(number: number, length: number): void {
  cachePage(statement(number), page(length));
  cachePage(statement(number), page(length));
}

test("the cache is bounded: the least recently used page goes first, and a page too large is not cached", () => {
  for (let number = 0; number < PAGES; number += 1) {
    keepAskedAgain(number, 500_000);
    expect(cachedPage(statement(0))).toBeDefined();
  }
  expect(cachedPage(statement(1))).toBeUndefined();
  expect(cachedPage(statement(PAGES - 1))).toBeDefined();
  keepAskedAgain(PAGES, 600_000);
  expect(cachedPage(statement(PAGES))).toBeUndefined();
});

test("a page that was requested once is not cached, nor one that was evicted before the second request", () => {
  const [once, ...others] = Array.from({ length: PAGES + 1 }, (_, number) => 1000 + number) as [number, ...number[]];
  cachePage(statement(once), page(500_000));
  expect(cachedPage(statement(once))).toBeUndefined();
  for (const other of others) cachePage(statement(other), page(500_000));
  cachePage(statement(once), page(500_000));
  expect(cachedPage(statement(once))).toBeUndefined();
  cachePage(statement(once), page(500_000));
  expect(cachedPage(statement(once))).toBeDefined();
});

test("a page that nobody has requested for a minute leaves the cache, and one that somebody has stays", async () => {
  const [left, asked] = [statement(5001), statement(5002)];
  for (const each of [left, left, asked, asked]) cachePage(each, page(500));
  await delay(20);
  expect(cachedPage(asked)).toBeDefined();
  evictUnused(performance.now() + 60_000 - 10);
  expect(cachedPage(left)).toBeUndefined();
  expect(cachedPage(asked)).toBeDefined();
  evictUnused(performance.now() + 60_001);
  expect(cachedPage(asked)).toBeUndefined();
});
