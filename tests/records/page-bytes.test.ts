import { expect, test } from "vitest";

import type { Context } from "@/lib/context";
import { newId } from "@/lib/ids";
import { execute, JsonText, type Operation } from "@/lib/operation";
import { listCommentsOfCase } from "@/lib/records/case-thread";
import { listEvents } from "@/lib/records/events/list-events";
import { listOperation } from "@/lib/records/operations";
import { MAX_PAGE_BYTES } from "@/lib/records/schema/record-sql";
import { createContext, insertRecord } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

import { settled } from "@/tests/records/support/read-events";

const COUNT = 40;
const SIZE = 131_072;

/**
 * As many products as make three pages of bytes, and an event of each. They have quotes and backslashes, which JSON
 * escapes.
 */
async function largeProducts(): Promise<Context> {
  const context = await createContext();
  await pool().query(
    `WITH made AS (
       INSERT INTO products (organization_id, id, created_at, updated_at, name, description)
       SELECT $1, new_id, now(), now() + n * interval '1 ms', 'product ' || n, repeat('漢"\\', $2)
       FROM unnest($3::uuid[]) WITH ORDINALITY AS new (new_id, n)
       RETURNING id, description)
     INSERT INTO events (organization_id, id, created_at, type, record_id, object)
     SELECT $1, id, now(), 'product.created', id, jsonb_build_object('id', id, 'description', description) FROM made`,
    [context.organizationId, SIZE / 2, Array.from({ length: COUNT }, newId)],
  );
  await settled();
  return context;
}

interface Page {
  data: { id: string }[];
  next_cursor: string;
  has_more: boolean;
}

async function walk(operation: Operation, context: Context, input: object) {
  const ids: string[] = [];
  const sizes: number[] = [];
  for (let cursor: object = {}; ;) {
    const answer = await execute(operation, context, { ...input, limit: 200, ...cursor });
    if (!(answer instanceof JsonText)) throw new Error("It is no JSON text.");
    const page = JSON.parse(answer.text) as Page;
    ids.push(...page.data.map(({ id }) => id));
    sizes.push(Buffer.byteLength(answer.text));
    if (!page.has_more) return { ids, sizes };
    cursor = { cursor: page.next_cursor };
  }
}

test.each([
  ["a list", listOperation("products"), {}],
  [
    "a list of a few fields, of what has changed",
    listOperation("products"),
    { fields: "description", "updated_at[gte]": "2020-01-01" },
  ],
  ["the events feed", listEvents, { type: "product.created" }],
  ["the events feed, oldest first", listEvents, { order: "asc" }],
])(
  "a page of %s ends before it is too large, and the pages together have everything once",
  async (_, operation, input) => {
    const context = await largeProducts();
    const { ids, sizes } = await walk(operation, context, input);
    expect(new Set(ids).size).toBe(COUNT);
    expect(ids).toHaveLength(COUNT);
    expect(sizes.length).toBeGreaterThan(2);
    for (const size of sizes) expect(size).toBeLessThanOrEqual(MAX_PAGE_BYTES + 100);
  },
  60_000,
);

test("a page of a thread ends before it is too large, and the pages together have every comment once", async () => {
  const context = await createContext();
  const id = await insertRecord("cases", context.organizationId);
  await pool().query(
    `INSERT INTO case_comments (organization_id, id, created_at, updated_at, case_id, body, position)
     SELECT $1, new_id, now(), now(), $2, repeat('漢', $3), n
     FROM unnest($4::uuid[]) WITH ORDINALITY AS new (new_id, n)`,
    [context.organizationId, id, SIZE, Array.from({ length: COUNT }, newId)],
  );
  const { ids, sizes } = await walk(listCommentsOfCase, context, { id });
  expect([new Set(ids).size, ids.length]).toEqual([COUNT, COUNT]);
  for (const size of sizes) expect(size).toBeLessThanOrEqual(MAX_PAGE_BYTES + 100);
}, 60_000);

/** The longest text that a client may write; JSON writes each of its characters with six bytes. */
const LARGEST_TEXT = "\u0001".repeat(SIZE);

interface Answered {
  data: { id: string; account: { description: string } | null }[];
  next_cursor: string;
  has_more: boolean;
}

test("a list of cases with large references ends early; it cost the pool a connection", async () => {
  const context = await createContext();
  const { organizationId } = context;
  const account_id = await insertRecord("accounts", organizationId, { description: LARGEST_TEXT });
  const contact_id = await insertRecord("contacts", organizationId, { description: LARGEST_TEXT });
  const parent_case_id = await insertRecord("cases", organizationId, {
    description: LARGEST_TEXT,
    escalation_reason: LARGEST_TEXT,
  });
  for (let left = 200; left > 0; left -= 1)
    await insertRecord("cases", organizationId, { account_id, contact_id, parent_case_id });
  const list = async (input: object) => {
    const answer = await execute(listOperation("cases"), context, {
      limit: 200,
      expand: "account,contact,parent_case",
      ...input,
    });
    if (!(answer instanceof JsonText)) throw new Error("It is no JSON text.");
    expect(Buffer.byteLength(answer.text)).toBeLessThanOrEqual(MAX_PAGE_BYTES + 100);
    return JSON.parse(answer.text) as Answered;
  };
  const first = await list({});
  expect([first.data.length, first.has_more, first.next_cursor]).toEqual([2, true, first.data[1]?.id]);
  const second = await list({ cursor: first.next_cursor, include: "total" });
  expect(second).toMatchObject({ has_more: true, total: 201 });
  expect(second.data[0]?.account?.description).toBe(LARGEST_TEXT);
  expect(new Set([...first.data, ...second.data].map(({ id }) => id)).size).toBe(4);
  // With its references a record is larger than a page, and is still returned.
  const alone = await list({ limit: 1, fields: "subject" });
  expect([alone.data.length, alone.has_more]).toEqual([1, true]);
  expect(pool().totalCount).toBe(pool().idleCount);
}, 120_000);

test("numbers that are longer in a response than in a body do not make a page too large", async () => {
  const context = await createContext();
  const numbers = JSON.stringify({ n: Array.from({ length: 21_000 }, () => 1e300) });
  await pool().query(
    `INSERT INTO products (organization_id, id, created_at, updated_at, name, custom_fields)
     SELECT $1, new_id, now(), now(), 'product', $2::jsonb FROM unnest($3::uuid[]) AS new (new_id)`,
    [context.organizationId, numbers, Array.from({ length: 200 }, newId)],
  );
  const answer = await execute(listOperation("products"), context, { limit: 200 });
  const page = JSON.parse((answer as JsonText).text) as Answered;
  expect([page.data.length, page.has_more]).toEqual([1, true]);
  expect(Buffer.byteLength((answer as JsonText).text)).toBeLessThanOrEqual(MAX_PAGE_BYTES);
}, 60_000);
