import { expect, test } from "vitest";

import type { Context } from "@/lib/context";
import { pool } from "@/lib/db";
import { newId } from "@/lib/ids";
import { execute, JsonText, type Operation } from "@/lib/operation";
import { listCommentsOfCase } from "@/lib/records/case-thread-operations";
import { listEventsOperation } from "@/lib/records/events-operation";
import { listOperation } from "@/lib/records/operations";
import { MOST_PAGE_BYTES } from "@/lib/records/page-bytes";
import { createContext, insertRecord } from "@/tests/support/factories";

import { settled } from "./read-events";

const COUNT = 40;
const SIZE = 131_072;

/** As many products as make three pages of bytes, and an event of each. Quotes and backslashes are what a list of texts would have to escape. */
async function largeProducts(): Promise<Context> {
  const context = await createContext();
  await pool().query(
    `WITH made AS (
       INSERT INTO products (organization_id, id, created_at, updated_at, name, description)
       SELECT $1, new_id, now(), now() + n * interval '1 ms', 'product ' || n, repeat('漢"\\', $2) FROM unnest($3::uuid[]) WITH ORDINALITY AS new (new_id, n)
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
  ["a list of a few fields, by last change", listOperation("products"), { fields: "description", "updated_at[gte]": "2020-01-01" }],
  ["the events feed", listEventsOperation, { type: "product.created" }],
  ["the events feed, oldest first", listEventsOperation, { order: "asc" }],
])(
  "a page of %s ends before it is too large, and the pages together have everything once",
  async (_, operation, input) => {
    const context = await largeProducts();
    const { ids, sizes } = await walk(operation, context, input);
    expect(new Set(ids).size).toBe(COUNT);
    expect(ids).toHaveLength(COUNT);
    expect(sizes.length).toBeGreaterThan(2);
    for (const size of sizes) expect(size).toBeLessThanOrEqual(MOST_PAGE_BYTES + 100);
  },
  60_000,
);

test("a page of a thread ends before it is too large, and the pages together have everything once", async () => {
  const context = await createContext();
  const id = await insertRecord("cases", context.organizationId);
  await pool().query(
    `INSERT INTO case_comments (organization_id, id, created_at, updated_at, case_id, body, position)
     SELECT $1, new_id, now(), now(), $2, repeat('漢', $3), n FROM unnest($4::uuid[]) WITH ORDINALITY AS new (new_id, n)`,
    [context.organizationId, id, SIZE, Array.from({ length: COUNT }, newId)],
  );
  const { ids, sizes } = await walk(listCommentsOfCase, context, { id });
  expect([new Set(ids).size, ids.length]).toEqual([COUNT, COUNT]);
  for (const size of sizes) expect(size).toBeLessThanOrEqual(MOST_PAGE_BYTES + 100);
}, 60_000);
