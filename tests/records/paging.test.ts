import { randomInt } from "node:crypto";

import { array, assert, asyncProperty, constant, constantFrom, integer, nat, oneof, record } from "fast-check";
import { expect, test } from "vitest";

import type { Context } from "@/lib/context";
import { pool } from "@/lib/db";
import { importedId, newId } from "@/lib/ids";
import { execute, valueOf } from "@/lib/operation";
import { listOperation } from "@/lib/records/operations";

const INTERLEAVINGS = 3_000;
/** All records are created within these milliseconds, so that many share one, and many fall right beside a cursor. */
const FROM = Date.UTC(2020, 0, 1);
const SPAN = 12;

/** An organization's products as another client knows them: what is there at this moment. */
interface Catalogue {
  context: Context;
  present: Set<string>;
}

/** One client's walk from the first page to the last. */
interface Walk {
  catalogue: Catalogue;
  /** What was there when the walk began. Of these, each that has not been deleted since must be seen exactly once. */
  atStart: Set<string>;
  seen: string[];
  cursor: string | null;
  done: boolean;
  faults: string[];
}

function emptyCatalogue(): Catalogue {
  const ids = { requestId: newId(), organizationId: newId(), userId: newId() };
  return { context: { ...ids, role: "member", clientId: null, scopes: new Set(["crm:read"]), address: null }, present: new Set() };
}

function beginWalk(catalogue: Catalogue): Walk {
  return { catalogue, atStart: new Set(catalogue.present), seen: [], cursor: null, done: false, faults: [] };
}

async function insert({ context, present }: Catalogue, times: number[]): Promise<void> {
  const ids = times.map((time) => importedId(context.organizationId, newId(), new Date(FROM + time)));
  const text =
    "INSERT INTO products (organization_id, id, created_at, updated_at, name) SELECT $1, id, now(), now(), 'Drill' FROM unnest($2::uuid[]) AS id";
  await pool().query({ name: "insert products", text, values: [context.organizationId, ids] });
  for (const id of ids) present.add(id);
}

async function remove({ context, present }: Catalogue, id: string | undefined | null): Promise<void> {
  if (!id || !present.delete(id)) return;
  const text = "DELETE FROM products WHERE organization_id = $1 AND id = $2";
  await pool().query({ name: "delete product", text, values: [context.organizationId, id] });
}

async function readPage(walk: Walk, limit: number): Promise<void> {
  const page = valueOf(await execute(listOperation("products"), walk.catalogue.context, { limit, ...(walk.cursor && { cursor: walk.cursor }) }));
  const ids = page.data.map(({ id }) => id);
  if (ids.length > limit) walk.faults.push(`${ids.length} records on a page of ${limit}`);
  if (page.has_more && ids.length < limit) walk.faults.push(`${ids.length} records on a page of ${limit}, with more to come`);
  if (page.next_cursor !== (page.has_more ? ids.at(-1) : null)) walk.faults.push(`next_cursor ${page.next_cursor} after ${ids.at(-1)}`);
  walk.seen.push(...ids);
  walk.cursor = page.next_cursor;
  walk.done = !page.has_more;
}

/** Everything that was wrong with a walk that has ended: duplicates, gaps, disorder, false envelopes. */
function faultsOf({ catalogue, atStart, seen, faults }: Walk): string[] {
  const once = new Set(seen);
  const duplicates = seen.filter((id, index) => seen.indexOf(id) !== index).map((id) => `twice: ${id}`);
  const gaps = [...atStart].filter((id) => catalogue.present.has(id) && !once.has(id)).map((id) => `never: ${id}`);
  const disorder = seen.filter((id, index) => index > 0 && id >= (seen[index - 1] ?? "")).map((id) => `out of order: ${id}`);
  return [...faults, ...duplicates, ...gaps, ...disorder];
}

type Action =
  | { kind: "read"; limit: number }
  | { kind: "insert"; times: number[] }
  | { kind: "delete"; nth: number }
  | { kind: "delete the cursor's record" }
  | { kind: "delete the record after the cursor" };

const time = integer({ min: 0, max: SPAN });
const limit = oneof({ weight: 6, arbitrary: integer({ min: 1, max: 4 }) }, { weight: 1, arbitrary: constantFrom(50, 200) });
const anyAction = oneof<{ weight: number; arbitrary: ReturnType<typeof constant<Action>> }[]>(
  { weight: 5, arbitrary: record({ kind: constant("read"), limit }) },
  { weight: 3, arbitrary: record({ kind: constant("insert"), times: array(time, { minLength: 1, maxLength: 3 }) }) },
  { weight: 2, arbitrary: record({ kind: constant("delete"), nth: nat(30) }) },
  { weight: 2, arbitrary: constant({ kind: "delete the cursor's record" }) },
  { weight: 1, arbitrary: constant({ kind: "delete the record after the cursor" }) },
);

async function perform(action: Action, walk: Walk): Promise<void> {
  const { catalogue, cursor } = walk;
  const present = [...catalogue.present];
  switch (action.kind) {
    case "read":
      return readPage(walk, action.limit);
    case "insert":
      return insert(catalogue, action.times);
    case "delete":
      return remove(catalogue, present[action.nth % Math.max(1, present.length)]);
    case "delete the cursor's record":
      return remove(catalogue, cursor);
    case "delete the record after the cursor":
      return remove(
        catalogue,
        present
          .filter((id) => cursor !== null && id < cursor)
          .toSorted()
          .at(-1),
      );
  }
}

test(`no duplicate and no gap in ${INTERLEAVINGS} interleavings of paging with inserts and deletes`, async () => {
  const tally = { walks: 0, pages: 0, cursorsDeleted: 0 };
  const interleaving = asyncProperty(array(time, { maxLength: 16 }), array(anyAction, { maxLength: 16 }), limit, async (initial, actions, last) => {
    const catalogue = emptyCatalogue();
    await insert(catalogue, initial);
    const walk = beginWalk(catalogue);
    for (const action of actions) {
      if (walk.done) break;
      tally.pages += Number(action.kind === "read");
      tally.cursorsDeleted += Number(action.kind === "delete the cursor's record" && catalogue.present.has(walk.cursor ?? ""));
      await perform(action, walk);
    }
    while (!walk.done) await readPage(walk, last);
    tally.walks += 1;
    expect(faultsOf(walk)).toEqual([]);
  });
  await assert(interleaving, { numRuns: INTERLEAVINGS });
  // The interleavings are worth something only if they do what they are named for.
  expect(tally.walks).toBeGreaterThanOrEqual(INTERLEAVINGS);
  expect(tally.pages).toBeGreaterThan(INTERLEAVINGS);
  expect(tally.cursorsDeleted).toBeGreaterThan(INTERLEAVINGS / 10);
});

test("no duplicate and no gap while another connection inserts and deletes at the same time", async () => {
  const catalogue = emptyCatalogue();
  await insert(
    catalogue,
    Array.from({ length: 300 }, () => randomInt(SPAN)),
  );
  const reading = new AbortController();
  const writing = churn(catalogue, reading.signal);
  try {
    for (let round = 0; round < 40; round++) {
      const walk = beginWalk(catalogue);
      while (!walk.done) await readPage(walk, randomInt(1, 20));
      expect(faultsOf(walk)).toEqual([]);
    }
  } finally {
    reading.abort();
    expect(await writing).toBeGreaterThan(40);
  }
});

/** Inserts and deletes until told to stop; gives the number of rounds. */
async function churn(catalogue: Catalogue, stop: AbortSignal): Promise<number> {
  let rounds = 0;
  for (; !stop.aborted; rounds++) {
    await insert(catalogue, [randomInt(SPAN), randomInt(SPAN)]);
    for (let count = 0; count < 2; count++) await remove(catalogue, [...catalogue.present][randomInt(catalogue.present.size)]);
  }
  return rounds;
}
