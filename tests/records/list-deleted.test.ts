import { describe, expect, test } from "vitest";

import type { Context } from "@/lib/context";
import { importedId, MAX_UUID, newId } from "@/lib/ids";
import { execute, valueOf } from "@/lib/operation";
import { LIST_DELETED, listDeletedRecords } from "@/lib/records/delete/list-deleted";
import { deleteOperation, restoreOperation } from "@/lib/records/operations";
import type { ResourceName } from "@/lib/records/schema/resources";
import { run } from "@/tests/records/support/write-operations";
import { createContext, insertRecord } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";
import { PLAN_MODES, planOf, readersOf } from "@/tests/support/query-plan";

async function list(context: Context, input: Record<string, unknown> = {}) {
  return valueOf(await execute(listDeletedRecords, context, input));
}

async function makeDeleted(context: Context, resource: ResourceName, values: object): Promise<string> {
  const id = await insertRecord(resource, context.organizationId, { ...values });
  await run(deleteOperation(resource), context, { id });
  return id;
}

test("lists what was deleted, the latest first, who did it, and until when it can come back", async () => {
  const context = await createContext();
  const account = await makeDeleted(context, "accounts", { name: "Neckar", ext_id: "001" });
  const contact = await makeDeleted(context, "contacts", { first_name: "Ada", last_name: "Okafor" });
  await insertRecord("accounts", context.organizationId, { name: "Still here" });
  await makeDeleted(await createContext(), "accounts", { name: "Somebody else's" });

  const { data, next_cursor, has_more } = await list(context);
  expect({ next_cursor, has_more }).toEqual({ next_cursor: null, has_more: false });
  expect(data).toMatchObject([
    { object: "contacts", id: contact, name: "Ada Okafor", ext_id: null, deleted_by_id: context.userId },
    { object: "accounts", id: account, name: "Neckar", ext_id: "001", migration_id: null },
  ]);
  const gone = await run(deleteOperation("leads"), context, {
    id: await insertRecord("leads", context.organizationId),
  });
  expect((await list(context, { objects: "leads" })).data).toMatchObject([
    { id: gone.id, restorable_until: gone.restorable_until },
  ]);
  for (const { deleted_at, restorable_until } of data)
    expect(Date.parse(restorable_until) - Date.parse(deleted_at)).toBe(30 * 24 * 3600 * 1000);
});

test("a record that is restored, or was deleted too long ago, is not listed", async () => {
  const context = await createContext();
  const [restored, expired] = [
    await makeDeleted(context, "leads", { last_name: "Restored" }),
    await makeDeleted(context, "leads", { last_name: "Expired" }),
  ];
  expect((await list(context)).data).toHaveLength(2);
  await run(restoreOperation("leads"), context, { id: restored });
  await pool().query("UPDATE deleted_records SET deleted_at = now() - interval '31 days' WHERE id = $1", [expired]);
  expect((await list(context)).data).toEqual([]);
});

test("the parts of a deleted record are not listed, and one that was deleted by itself is", async () => {
  const context = await createContext();
  const caseId = await insertRecord("cases", context.organizationId, { subject: "Leak" });
  const body = "Where does it leak? ".repeat(20);
  const comment = await insertRecord("case_comments", context.organizationId, { case_id: caseId, position: 1, body });
  await insertRecord("case_comments", context.organizationId, { case_id: caseId, position: 2, body: "At the valve." });
  await run(deleteOperation("case_comments"), context, { id: comment });
  await run(deleteOperation("cases"), context, { id: caseId });
  expect((await list(context)).data).toMatchObject([
    { object: "cases", id: caseId, name: "Leak" },
    { object: "case_comments", id: comment, name: body.slice(0, 200) },
  ]);
});

test("pages of several kinds have each record once, also while others are deleted and restored", async () => {
  const context = await createContext();
  const made: string[] = [];
  for (const [index, resource] of (["accounts", "leads", "accounts", "leads", "products"] as const).entries())
    made.push(await makeDeleted(context, resource, resource === "products" ? { sku: `S-${index}` } : {}));
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof list>> = await list(context, { limit: 2, ...(cursor && { cursor }) });
    expect(page.data.length).toBeLessThanOrEqual(2);
    seen.push(...page.data.map(({ id }) => id));
    cursor = page.next_cursor;
    await makeDeleted(context, "accounts", {});
    await run(restoreOperation("products"), context, { id: made.at(-1) }).catch(() => undefined);
  } while (cursor);
  expect(seen).toEqual(made.toReversed());
  expect((await list(context, { objects: "leads" })).data.map(({ id }) => id)).toEqual([made[3], made[1]]);
});

test("a page begins after the record of the cursor, however old it is, restored meanwhile or not", async () => {
  const context = await createContext();
  const [first, second] = [
    await insertRecord("leads", context.organizationId),
    await makeDeleted(context, "leads", {}),
  ];
  await run(deleteOperation("leads"), context, { id: first });
  const page = await list(context, { limit: 1 });
  expect(page).toMatchObject({ data: [{ id: first }], next_cursor: first, has_more: true });
  expect((await list(context, { limit: 1, cursor: first })).data).toMatchObject([{ id: second }]);
  await run(restoreOperation("leads"), context, { id: first });
  expect((await list(context, { limit: 1, cursor: first })).data).toMatchObject([{ id: second }]);
  await expect(list(context, { cursor: newId() })).rejects.toMatchObject({ code: "invalid_request" });
  await expect(list(await createContext(), { cursor: second })).rejects.toMatchObject({ code: "invalid_request" });
});

test("a page begins after the latest deletion of the cursor's record: none is left out, some come again", async () => {
  const context = await createContext();
  const oldest = await makeDeleted(context, "leads", {});
  const twice = await makeDeleted(context, "leads", {});
  const newest = await makeDeleted(context, "leads", {});
  const first = await list(context, { limit: 2 });
  expect(first).toMatchObject({ data: [{ id: newest }, { id: twice }], next_cursor: twice });
  await run(restoreOperation("leads"), context, { id: twice });
  await run(deleteOperation("leads"), context, { id: twice });
  const second = await list(context, { limit: 2, cursor: twice });
  expect(second.data).toMatchObject([{ id: newest }, { id: oldest }]);
  expect((await list(context, { limit: 1 })).next_cursor).toBe(twice);
});

test("an older deletion of the cursor's record, which is kept for an undo, does not end the list early", async () => {
  const context = await createContext();
  const oldest = await makeDeleted(context, "leads", {});
  const twice = await makeDeleted(context, "leads", {});
  await pool().query(
    `INSERT INTO deleted_records (organization_id, deletion_id, resource, id, deleted_at, deleted_by_id, migration_id,
       is_part, record, cleared)
     SELECT organization_id, $2, resource, id, now() - interval '31 days', deleted_by_id, $3, false, '{}', '[]'
     FROM deleted_records WHERE organization_id = $1 AND id = $4`,
    [context.organizationId, importedId("", "", new Date(Date.now() - 31 * 24 * 3_600_000)), newId(), twice],
  );
  expect((await list(context, { cursor: twice })).data).toMatchObject([{ id: oldest }]);
  await run(restoreOperation("leads"), context, { id: twice });
  expect((await list(context, { cursor: twice })).data).toMatchObject([{ id: oldest }]);
});

describe("scopes", () => {
  test("a token sees the kinds that it may read, and is refused when it names another", async () => {
    const context = await createContext();
    await makeDeleted(context, "accounts", { name: "Neckar" });
    const product = await makeDeleted(context, "products", { name: "Pump", sku: "P-1" });
    const migration_id = newId();
    await pool().query("UPDATE deleted_records SET migration_id = $1", [migration_id]);
    expect((await list(context)).data).toMatchObject([{ migration_id }, { migration_id }]);
    const erp = { ...context, scopes: new Set(["erp:read"] as const) };
    expect((await list(erp)).data).toMatchObject([
      { object: "products", id: product, name: "Pump", migration_id: null },
    ]);
    await expect(list(erp, { objects: "products,accounts" })).rejects.toMatchObject({ code: "insufficient_scope" });
  });

  test("an unknown kind is refused", async () => {
    await expect(list(await createContext(), { objects: "users" })).rejects.toMatchObject({ code: "invalid_request" });
  });
});

test.each(PLAN_MODES)("a page reads no more of the index than its length, for each kind (%s)", async (mode) => {
  const { organizationId, userId } = await createContext();
  await pool().query(
    `INSERT INTO deleted_records (
       organization_id, deletion_id, resource, id, deleted_at, deleted_by_id, is_part, record, cleared, aliases)
     SELECT $1, gen_random_uuid(), (ARRAY['accounts', 'leads'])[n % 2 + 1], gen_random_uuid(), now(), $2, n % 4 = 0,
       '{"name": "Neckar"}', '[]', '{}' FROM generate_series(1, 4000) AS n`,
    [organizationId, userId],
  );
  await pool().query("ANALYZE deleted_records");
  const values = [organizationId, ["accounts", "leads"], MAX_UUID, 51];
  const scans = readersOf(await planOf({ text: LIST_DELETED, values }, mode, { analyze: true }));
  const index = "deleted_records_organization_id_resource_deletion_id_idx";
  expect(scans).toMatchObject([{ "Index Name": index, "Actual Rows": 51 }]);
});
