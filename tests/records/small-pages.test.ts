import { expect, test } from "vitest";

import { readPipelined } from "@/lib/database/db";
import { newId } from "@/lib/ids";
import { execute, valueOf } from "@/lib/operation";
import { listInput, listRequest } from "@/lib/records/list/list-input";
import { listStatement } from "@/lib/records/list/list-statement";
import { listOperation } from "@/lib/records/operations";
import { MAX_SMALL_BYTES } from "@/lib/records/schema/record-sql";
import { ENTITIES } from "@/lib/records/schema/registry";
import { createContext } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

/** Characters of a text, of which JSON writes each with six bytes at most, that make fifty records too large. */
const LONG = Math.ceil(MAX_SMALL_BYTES / 50 / 6);

/** As an import brings them: twenty custom fields with short values, some 900 bytes of jsonb. */
const CUSTOM = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`Custom_field_${n}__c`, `${n} `.repeat(8)]));

const WRITE_PRODUCTS = `
  INSERT INTO products (organization_id, id, created_at, updated_at, name, description, custom_fields)
  SELECT $1, new_id, now(), now(), 'product', repeat('x', $3), $4::jsonb FROM unnest($2::uuid[]) AS new (new_id)`;

const COMPRESSED =
  "SELECT count(pg_column_compression(custom_fields))::int AS compressed FROM products WHERE organization_id = $1";

/** How often the connection that all share has carried out the statement of a small page. */
async function countSmallPages(): Promise<number> {
  const { rows } = await readPipelined<[count: string]>({
    name: "count executions",
    text: "SELECT sum(generic_plans + custom_plans) FROM pg_prepared_statements WHERE name = 'small list products'",
    values: [],
    rowMode: "array",
  });
  return Number(rows[0]?.[0] ?? 0);
}

test.each([
  ["fifty ordinary ones, in one page", { count: 50, text: 800 }, { isRead: true, isSmall: true, compressed: 0 }],
  ["fifty with long texts", { count: 50, text: LONG }, { isRead: true, isSmall: false, compressed: 0 }],
  [
    "one with a compressed object, however short",
    { count: 1, text: 1, custom: { note: "x".repeat(3000) } },
    { isRead: true, isSmall: false, compressed: 1 },
  ],
  ["more than fifty", { count: 51, text: 1 }, { isRead: false, isSmall: true, compressed: 0 }],
])("records over the connection that others wait for, and all of them in any case: %s", async (_, given, expected) => {
  const { count, text, custom = CUSTOM } = given as { count: number; text: number; custom?: object };
  const context = await createContext();
  const ids = Array.from({ length: count }, newId);
  await pool().query(WRITE_PRODUCTS, [context.organizationId, ids, text, JSON.stringify(custom)]);

  const list = () => execute(listOperation("products"), context, { limit: count });
  // A statement's first use can take longer than the connection allows.
  await list();
  const before = await countSmallPages();
  const page = valueOf(await list());
  expect(page).toMatchObject({ data: ids.toReversed().map((id) => ({ id })), has_more: false });
  const isRead = (await countSmallPages()) > before;

  const parameters = listInput(ENTITIES.products).parse({ limit: String(count) });
  const request = listRequest(ENTITIES.products, parameters, context);
  const { smallText = "", values } = listStatement(ENTITIES.products, context.organizationId, request);
  const { rows: read } = await pool().query<{ records: string | null }>(smallText, values);
  const { rows: stored } = await pool().query<{ compressed: number }>(COMPRESSED, [context.organizationId]);
  expect({ isRead, isSmall: read[0]?.records !== null, ...stored[0] }).toEqual(expected);
});
