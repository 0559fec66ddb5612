import { expect, test } from "vitest";

import { newId } from "@/lib/ids";
import { execute, valueOf } from "@/lib/operation";
import { listInput, listRequest } from "@/lib/records/list/list-input";
import { listStatement } from "@/lib/records/list/list-statement";
import { listOperation } from "@/lib/records/operations";
import { MAX_SMALL_BYTES } from "@/lib/records/schema/record-sql";
import { ENTITIES } from "@/lib/records/schema/registry";
import { createContext } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

const LIMIT = 200;

/** JSON writes a character of a text with six bytes at most. */
const LONG = Math.ceil(MAX_SMALL_BYTES / LIMIT / 6);

const WRITE_PRODUCTS = `
  INSERT INTO products (organization_id, id, created_at, updated_at, name, description, custom_fields)
  SELECT $1, new_id, now(), now(), 'product', repeat('x', $3), CASE WHEN n = 1 THEN $4::jsonb ELSE '{}' END
  FROM unnest($2::uuid[]) WITH ORDINALITY AS new (new_id, n)`;

const COMPRESSED =
  "SELECT count(pg_column_compression(custom_fields))::int AS compressed FROM products WHERE organization_id = $1";

test.each([
  ["two hundred ordinary records are small", { text: 300, custom: 100 }, { isSmall: true, compressed: 0 }],
  ["long texts are not", { text: LONG, custom: 100 }, { isSmall: false, compressed: 0 }],
  ["nor is one compressed object, however short", { text: 300, custom: 3000 }, { isSmall: false, compressed: 1 }],
])("a page that others wait for: %s; it has all records in any case", async (_, { text, custom }, expected) => {
  const context = await createContext();
  const ids = Array.from({ length: LIMIT }, newId);
  const object = JSON.stringify({ note: "x".repeat(custom) });
  await pool().query(WRITE_PRODUCTS, [context.organizationId, ids, text, object]);

  const request = listRequest(ENTITIES.products, listInput(ENTITIES.products).parse({ limit: String(LIMIT) }));
  const { smallText = "", values } = listStatement(ENTITIES.products, context.organizationId, request);
  const { rows: read } = await pool().query<{ records: string | null }>(smallText, values);
  const { rows: stored } = await pool().query<{ compressed: number }>(COMPRESSED, [context.organizationId]);
  expect({ isSmall: read[0]?.records !== null, ...stored[0] }).toEqual(expected);

  const page = valueOf(await execute(listOperation("products"), context, { limit: LIMIT }));
  expect(page).toMatchObject({ data: ids.toReversed().map((id) => ({ id })), has_more: false });
});
