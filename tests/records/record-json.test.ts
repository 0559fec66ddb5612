import { beforeAll, expect, test } from "vitest";

import { closeDatabase, pool as servicePool } from "@/lib/database/db";
import { execute, JsonText, valueOf } from "@/lib/operation";
import { getOperation, listOperation } from "@/lib/records/operations";
import type { Field } from "@/lib/records/schema/field";
import type { RecordOf } from "@/lib/records/schema/field-schema";
import { ENTITIES } from "@/lib/records/schema/registry";
import type { ResourceName } from "@/lib/records/schema/resources";
import { createContext, insertRecord } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

const context = await createContext();

// The responses must not depend on the settings of the database.
beforeAll(async () => {
  const { rows } = await pool().query<{ name: string }>("SELECT current_database() AS name");
  const settings = [
    "timezone = 'Asia/Kathmandu'",
    "datestyle = 'German, DMY'",
    "intervalstyle = 'sql_standard'",
    "extra_float_digits = -5",
  ];
  for (const setting of settings) await pool().query(`ALTER DATABASE ${rows[0]?.name} SET ${setting}`);
  await closeDatabase();
});

async function get<Resource extends ResourceName>(resource: Resource, id: string): Promise<RecordOf<Resource>> {
  return valueOf(await execute(getOperation(resource), context, { id })) as RecordOf<Resource>;
}

test("the settings of the database are hostile", async () => {
  const { rows } = await servicePool().query<{ moment: string }>(
    "SELECT '2026-02-03T04:05:06.700Z'::timestamptz::text AS moment",
  );
  expect(rows).toEqual([{ moment: "03.02.2026 09:50:06.7 +0545" }]);
});

test.each([
  ["2026-02-03T04:05:06.700Z", "2026-02-03T04:05:06.700Z"],
  ["2026-02-03T00:00:00Z", "2026-02-03T00:00:00.000Z"],
  ["1999-12-31T23:59:59.999Z", "1999-12-31T23:59:59.999Z"],
  ["2024-02-29T12:00:00+13:45", "2024-02-28T22:15:00.000Z"],
  ["0987-06-05T04:03:02.001Z", "0987-06-05T04:03:02.001Z"],
])("the time %s is %s", async (given, shown) => {
  const id = await insertRecord("activities", context.organizationId, { start_at: given });
  expect((await get("activities", id)).start_at).toBe(shown);
});

test("created_at is the millisecond in the id, also of an imported record", async () => {
  const id = await insertRecord("accounts", context.organizationId, { created_at: "2009-08-07T06:05:04.030Z" });
  const account = await get("accounts", id);
  expect(account.created_at).toBe("2009-08-07T06:05:04.030Z");
  expect(Number.parseInt(id.replace("-", "").slice(0, 12), 16)).toBe(Date.parse(account.created_at));
});

test.each(["2026-12-31", "1900-01-01", "2024-02-29"])("the date %s is returned unchanged", async (date) => {
  const id = await insertRecord("opportunities", context.organizationId, { close_date: date });
  expect((await get("opportunities", id)).close_date).toBe(date);
});

test.each([0, 0.1, -12.5, 1234567.89, 999_999_999_999.99])("the amount %d is returned unchanged", async (amount) => {
  const id = await insertRecord("products", context.organizationId, { unit_price: amount });
  expect((await get("products", id)).unit_price).toBe(amount);
});

test("text is returned unchanged: quotes, line breaks, controls, emoji, right-to-left", async () => {
  const description = '"a\\b"\r\n,\n{\t}\u0001\u001f\u007f\u2028 é 漢 👩‍🚀 שלום <b>&amp;</b>';
  const id = await insertRecord("accounts", context.organizationId, { name: description, description });
  expect(await get("accounts", id)).toMatchObject({ name: description, description });
});

test("custom fields are returned as the same JSON", async () => {
  const custom = {
    Region__c: "EMEA",
    Score__c: 1.25,
    Big__c: 1e21,
    Tags__c: ["a", ",\n", null],
    Nested__c: { deep: { er: [true, false] } },
    "": "",
  };
  const id = await insertRecord("accounts", context.organizationId, { custom_fields: custom });
  expect((await get("accounts", id)).custom_fields).toEqual(custom);
});

test("a nearly empty record shows every field, the empty ones as null", async () => {
  const id = await insertRecord("contacts", context.organizationId);
  const contact = await get("contacts", id);
  expect(contact).toMatchObject({
    last_name: "Example",
    do_not_call: false,
    email_opt_out: false,
    custom_fields: {},
    version: 1,
  });
  const empty = Object.entries(contact).filter(([, value]) => value === null);
  const nullable = Object.entries<Field>(ENTITIES.contacts.fields).filter(([, field]) => field.nullable);
  expect(empty.map(([name]) => name)).toEqual(nullable.map(([name]) => name));
});

test("no response contains the organization's id", async () => {
  const result = await execute(listOperation("accounts"), context, { limit: 200 });
  expect(result).toBeInstanceOf(JsonText);
  expect((result as JsonText).text).not.toContain("organization_id");
  expect((result as JsonText).text).not.toContain(context.organizationId);
});

test("a page is cut between records, whatever their texts contain", async () => {
  const separators = [",\n", "},\n{", ",\\n", "]", '"},\n{"'];
  const own = await createContext();
  for (const name of separators)
    await insertRecord("products", own.organizationId, { name, description: name, custom_fields: { [name]: name } });
  const first = valueOf(await execute(listOperation("products"), own, { limit: 3 }));
  expect(first.data.map(({ name }) => name)).toEqual(separators.slice(2).toReversed());
  const second = valueOf(await execute(listOperation("products"), own, { limit: 3, cursor: first.next_cursor }));
  expect(second.data.map(({ name }) => name)).toEqual(separators.slice(0, 2).toReversed());
  expect(second).toMatchObject({ next_cursor: null, has_more: false });
});

test("a full last page says that it is the last; an empty one too", async () => {
  const own = await createContext();
  expect(valueOf(await execute(listOperation("leads"), own, {}))).toEqual({
    data: [],
    next_cursor: null,
    has_more: false,
  });
  const ids = [await insertRecord("leads", own.organizationId), await insertRecord("leads", own.organizationId)];
  const full = valueOf(await execute(listOperation("leads"), own, { limit: 2 }));
  expect(full).toMatchObject({ data: [{ id: ids[1] }, { id: ids[0] }], next_cursor: null, has_more: false });
  const one = valueOf(await execute(listOperation("leads"), own, { limit: 1 }));
  expect(one).toMatchObject({ data: [{ id: ids[1] }], next_cursor: ids[1], has_more: true });
});

test("without a limit a page has 50 records", async () => {
  const own = await createContext();
  for (let count = 0; count < 51; count++) await insertRecord("products", own.organizationId);
  const page = valueOf(await execute(listOperation("products"), own, {}));
  expect(page.data).toHaveLength(50);
  expect(page.has_more).toBe(true);
});

test("a list is filtered by a parent or by ext_id, page by page", async () => {
  const own = await createContext();
  const [mine, other] = [
    await insertRecord("cases", own.organizationId),
    await insertRecord("cases", own.organizationId),
  ];
  const comments: string[] = [];
  for (let position = 1; position <= 3; position++) {
    comments.push(
      await insertRecord("case_comments", own.organizationId, { case_id: mine, position, ext_id: `00a${position}` }),
    );
    await insertRecord("case_comments", own.organizationId, { case_id: other, position });
  }
  const first = valueOf(await execute(listOperation("case_comments"), own, { case_id: mine, limit: 2 }));
  const second = valueOf(
    await execute(listOperation("case_comments"), own, { case_id: mine, limit: 2, cursor: first.next_cursor }),
  );
  expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(comments.toReversed());
  expect(second.has_more).toBe(false);
  const byExtId = valueOf(await execute(listOperation("case_comments"), own, { ext_id: "00a2" }));
  expect(byExtId.data.map(({ id }) => id)).toEqual([comments[1]]);
  const both = valueOf(await execute(listOperation("case_comments"), own, { ext_id: "00a2", case_id: other }));
  expect(both.data).toEqual([]);
});
