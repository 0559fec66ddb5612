import { randomInt } from "node:crypto";

import { array, assert, asyncProperty, constant, constantFrom, integer, nat, oneof, record } from "fast-check";
import { expect, test } from "vitest";

import type { Context } from "@/lib/context";
import { importedId, newId, timeOf } from "@/lib/ids";
import { execute, type Operation, valueOf } from "@/lib/operation";
import { listOperation } from "@/lib/records/operations";
import { isExhaustive } from "@/tests/support/exhaustive";
import { readFuzzOptions } from "@/tests/support/fuzz-options";
import { pool } from "@/tests/support/owner";

const { requests: INTERLEAVINGS, seed: SEED } = readFuzzOptions(isExhaustive ? 1_000 : 500);
/** All records are created within these milliseconds, so that many share one, and many are next to a cursor. */
const FROM = Date.UTC(2020, 0, 1);
const SPAN = 12;

/** An organization's products as another client knows them at this moment. */
interface Catalog {
  context: Context;
  present: Set<string>;
}

/** Decides whether a list has a product, and where. It follows from the id alone. */
function productOf(id: string) {
  const created = timeOf(id).getTime() - FROM;
  const digits = Number.parseInt(id.slice(-4), 16);
  return { family: digits % 2 === 0 ? "Drills" : "Saws", created, changed: digits % SPAN };
}

type Product = ReturnType<typeof productOf>;

/** A way to list products: the parameters, the products that match, and their order. */
interface Listing {
  parameters: Record<string, string>;
  has?: (product: Product) => boolean;
  order?: "asc" | "desc";
}

const MIDDLE = SPAN / 2;
const at = (milliseconds: number) => new Date(FROM + milliseconds).toISOString();
const isDrill = ({ family }: Product) => family === "Drills";
const changed = { parameters: { "updated_at[gt]": at(2) }, has: (product: Product) => product.changed > 2 } as const;

const LISTINGS: Listing[] = [
  { parameters: {} },
  { parameters: { order: "asc" }, order: "asc" },
  { parameters: { family: "Drills" }, has: isDrill },
  { parameters: { family: "Drills", order: "asc", fields: "name" }, has: isDrill, order: "asc" },
  { parameters: { q: "dril" }, has: isDrill },
  { parameters: { q: "dril", order: "asc", is_active: "true" }, has: isDrill, order: "asc" },
  { parameters: { "created_at[gte]": at(MIDDLE) }, has: ({ created }) => created >= MIDDLE },
  { parameters: { "created_at[lt]": at(MIDDLE), order: "asc" }, has: ({ created }) => created < MIDDLE, order: "asc" },
  { parameters: { expand: "owner", include: "total" } },
  changed,
  { ...changed, parameters: { ...changed.parameters, order: "asc" }, order: "asc" },
  {
    ...changed,
    parameters: { "updated_at[lte]": at(9), family: "Drills", "created_at[gte]": at(MIDDLE) },
    has: (product) => product.changed <= 9 && isDrill(product) && product.created >= MIDDLE,
  },
  {
    ...changed,
    parameters: { ...changed.parameters, q: "drill" },
    has: (product) => product.changed > 2 && isDrill(product),
  },
];

/** One client's walk from the first page to the last. */
interface Walk {
  catalog: Catalog;
  listing: Listing;
  /** The products at the start of the walk. Each of them that has not been deleted since must be seen exactly once. */
  atStart: Set<string>;
  seen: string[];
  /** The record of the cursor. */
  last: string | null;
  cursor: string | null;
  done: boolean;
  faults: string[];
}

function emptyCatalog(): Catalog {
  const ids = { requestId: newId(), organizationId: newId(), userId: newId() };
  return {
    context: { ...ids, role: "member", clientId: null, scopes: new Set(["crm:read"]), address: null },
    present: new Set(),
  };
}

function beginWalk(catalog: Catalog, listing: Listing): Walk {
  const atStart = [...catalog.present].filter((id) => listing.has?.(productOf(id)) ?? true);
  return { catalog, listing, atStart: new Set(atStart), seen: [], last: null, cursor: null, done: false, faults: [] };
}

async function insert({ context, present }: Catalog, times: number[]): Promise<void> {
  const ids = times.map((time) => importedId(context.organizationId, newId(), new Date(FROM + time)));
  const text = `INSERT INTO products (organization_id, id, created_at, updated_at, name, family)
    SELECT $1, id, now(), changed, family, family
    FROM unnest($2::uuid[], $3::timestamptz[], $4::text[]) AS product (id, changed, family)`;
  const products = ids.map(productOf);
  const values = [
    context.organizationId,
    ids,
    products.map((product) => at(product.changed)),
    products.map(({ family }) => family),
  ];
  await pool().query({ name: "insert products", text, values });
  for (const id of ids) present.add(id);
}

async function remove({ context, present }: Catalog, id: string | undefined | null): Promise<void> {
  if (!id || !present.delete(id)) return;
  const text = "DELETE FROM products WHERE organization_id = $1 AND id = $2";
  await pool().query({ name: "delete product", text, values: [context.organizationId, id] });
}

interface Page {
  data: { id: string }[];
  next_cursor: string | null;
  has_more: boolean;
}

function envelopeFaults(page: Page, ids: string[], limit: number): string[] {
  const faults: string[] = [];
  if (ids.length > limit) faults.push(`${ids.length} records on a page of ${limit}`);
  if (page.has_more && ids.length < limit)
    faults.push(`${ids.length} records on a page of ${limit}, with more to come`);
  if (page.has_more !== (page.next_cursor !== null))
    faults.push(`next_cursor ${page.next_cursor}, has_more ${page.has_more}`);
  if (page.has_more && page.next_cursor !== ids.at(-1))
    faults.push(`next_cursor ${page.next_cursor} after ${ids.at(-1)}`);
  return faults;
}

async function readPage(walk: Walk, limit: number): Promise<void> {
  const parameters = { ...walk.listing.parameters, limit, ...(walk.cursor && { cursor: walk.cursor }) };
  const page = valueOf(
    await execute(listOperation("products") as unknown as Operation, walk.catalog.context, parameters),
  ) as Page;
  const ids = page.data.map(({ id }) => id);
  walk.faults.push(...envelopeFaults(page, ids, limit));
  walk.seen.push(...ids);
  walk.last = page.has_more ? (ids.at(-1) ?? null) : null;
  walk.cursor = page.next_cursor;
  walk.done = !page.has_more;
}

/** The errors of a finished walk: duplicates, gaps, disorder, wrong envelopes. */
function faultsOf({ catalog, listing, atStart, seen, faults }: Walk): string[] {
  const once = new Set(seen);
  const duplicates = seen.filter((id, index) => seen.indexOf(id) !== index).map((id) => `twice: ${id}`);
  const gaps = [...atStart].filter((id) => catalog.present.has(id) && !once.has(id)).map((id) => `never: ${id}`);
  const strangers = seen.filter((id) => !(listing.has?.(productOf(id)) ?? true)).map((id) => `not asked for: ${id}`);
  const sorted = listing.order === "asc" ? seen.toSorted() : seen.toSorted().toReversed();
  const disorder = seen.filter((id, index) => id !== sorted[index]).map((id) => `out of order: ${id}`);
  return [...faults, ...duplicates, ...gaps, ...strangers, ...disorder];
}

type Action =
  | { kind: "read"; limit: number }
  | { kind: "insert"; times: number[] }
  | { kind: "delete"; nth: number }
  | { kind: "delete the cursor's record" }
  | { kind: "delete the record after the cursor" };

const time = integer({ min: 0, max: SPAN });
const limit = oneof(
  { weight: 6, arbitrary: integer({ min: 1, max: 4 }) },
  { weight: 1, arbitrary: constantFrom(50, 200) },
);
const anyAction = oneof<{ weight: number; arbitrary: ReturnType<typeof constant<Action>> }[]>(
  { weight: 5, arbitrary: record({ kind: constant("read"), limit }) },
  { weight: 3, arbitrary: record({ kind: constant("insert"), times: array(time, { minLength: 1, maxLength: 3 }) }) },
  { weight: 2, arbitrary: record({ kind: constant("delete"), nth: nat(30) }) },
  { weight: 2, arbitrary: constant({ kind: "delete the cursor's record" }) },
  { weight: 1, arbitrary: constant({ kind: "delete the record after the cursor" }) },
);

async function perform(action: Action, walk: Walk): Promise<void> {
  const { catalog, last, listing } = walk;
  const present = [...catalog.present];
  switch (action.kind) {
    case "read":
      return readPage(walk, action.limit);
    case "insert":
      return insert(catalog, action.times);
    case "delete":
      return remove(catalog, present[action.nth % Math.max(1, present.length)]);
    case "delete the cursor's record":
      return remove(catalog, last);
    case "delete the record after the cursor":
      return remove(catalog, last && idAfter(last, present, listing));
  }
}

/** The next record, whether or not the list has it. */
function idAfter(last: string, present: string[], listing: Listing): string | undefined {
  const ascending = present.toSorted();
  return listing.order === "asc" ? ascending.find((id) => id > last) : ascending.findLast((id) => id < last);
}

test(`no duplicate and no gap in ${INTERLEAVINGS} interleavings of writes with every kind of list`, async () => {
  const listings = constantFrom(...LISTINGS);
  const tally = { walks: 0, pages: 0, cursorsDeleted: 0 };
  const interleaving = asyncProperty(
    listings,
    array(time, { maxLength: 16 }),
    array(anyAction, { maxLength: 16 }),
    limit,
    async (listing, initial, actions, last) => {
      const catalog = emptyCatalog();
      await insert(catalog, initial);
      const walk = beginWalk(catalog, listing);
      for (const action of actions) {
        if (walk.done) break;
        tally.pages += Number(action.kind === "read");
        tally.cursorsDeleted += Number(
          action.kind === "delete the cursor's record" && catalog.present.has(walk.last ?? ""),
        );
        await perform(action, walk);
      }
      while (!walk.done) await readPage(walk, last);
      tally.walks += 1;
      expect(faultsOf(walk)).toEqual([]);
    },
  );
  await assert(interleaving, { numRuns: INTERLEAVINGS, seed: SEED });
  // The interleavings prove something only if they do what their names say.
  expect(tally.walks).toBeGreaterThanOrEqual(INTERLEAVINGS);
  expect(tally.pages).toBeGreaterThan(INTERLEAVINGS / 2);
  expect(tally.cursorsDeleted).toBeGreaterThan(INTERLEAVINGS / 20);
});

test("no duplicate and no gap while another connection inserts and deletes at the same time", async () => {
  const catalog = emptyCatalog();
  await insert(
    catalog,
    Array.from({ length: 300 }, () => randomInt(SPAN)),
  );
  const reading = new AbortController();
  const writing = churn(catalog, reading.signal);
  try {
    for (let round = 0; round < 40; round++) {
      const walk = beginWalk(catalog, LISTINGS[round % LISTINGS.length] ?? { parameters: {} });
      while (!walk.done) await readPage(walk, randomInt(1, 20));
      expect(faultsOf(walk)).toEqual([]);
    }
  } finally {
    reading.abort();
    expect(await writing).toBeGreaterThan(40);
  }
});

/** Inserts and deletes until stopped; returns the number of rounds. */
async function churn(catalog: Catalog, stop: AbortSignal): Promise<number> {
  let rounds = 0;
  for (; !stop.aborted; rounds++) {
    await insert(catalog, [randomInt(SPAN), randomInt(SPAN)]);
    for (let count = 0; count < 2; count++)
      await remove(catalog, [...catalog.present][randomInt(catalog.present.size)]);
  }
  return rounds;
}
