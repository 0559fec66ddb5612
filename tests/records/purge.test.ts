import { expect, test } from "vitest";

import { DELETE_BATCH_SIZE } from "@/lib/database/housekeeping";
import { purgeFilesOf } from "@/lib/files/purge-files";
import { MAX_UUID } from "@/lib/ids";
import { createOperation, deleteOperation, restoreOperation } from "@/lib/records/operations";
import { DELETE_EXPIRED_RECORDS, purgeDeleted } from "@/lib/records/purge";
import { run } from "@/tests/records/support/write-operations";
import { ageDeletions } from "@/tests/support/age-deletions";
import { createContext, insertRecord, NEEDED } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";
import { planOf, readersOf } from "@/tests/support/query-plan";

test("expired deleted records are purged with their history, and nothing else is", async () => {
  const [old, young] = [await createContext(), await createContext()];
  for (const context of [old, young]) {
    const { id } = await run(createOperation("opportunities"), context, NEEDED.opportunities);
    await run(createOperation("opportunities"), context, NEEDED.opportunities);
    await run(deleteOperation("opportunities"), context, { id });
  }
  await ageDeletions(old.organizationId, 30);
  await ageDeletions(young.organizationId, 29);
  expect(await purgeDeleted(purgeFilesOf)).toBe(1);
  const count = async (table: string, { organizationId }: typeof old) =>
    (await pool().query(`SELECT FROM ${table} WHERE organization_id = $1`, [organizationId])).rowCount;
  expect([
    await count("deleted_records", old),
    await count("opportunity_stage_changes", old),
    await count("opportunities", old),
  ]).toEqual([0, 1, 1]);
  expect([await count("deleted_records", young), await count("opportunity_stage_changes", young)]).toEqual([1, 2]);
});

test("the links that waited for other records are purged with the record, unless it is here again", async () => {
  const context = await createContext();
  const { organizationId } = context;
  const ids = [];
  for (let n = 0; n < 3; n += 1) ids.push((await run(createOperation("contacts"), context, NEEDED.contacts)).id);
  await pool().query(
    `INSERT INTO waiting_links
       (organization_id, resource, record_id, object, source_field, column_name, target, target_ext_id)
     SELECT $1, 'contacts', id, 'Contact', 'AccountId', 'account_id', 'accounts', '001'
     FROM unnest($2::uuid[]) AS id`,
    [organizationId, ids],
  );
  for (const id of ids) await run(deleteOperation("contacts"), context, { id });
  await run(restoreOperation("contacts"), context, { id: ids[0] });
  await insertRecord("contacts", organizationId, { id: ids[1] });
  await ageDeletions(organizationId, 30);
  expect(await purgeDeleted(purgeFilesOf)).toBe(2);
  const { rows } = await pool().query<{ record_id: string }>(
    "SELECT record_id FROM waiting_links WHERE organization_id = $1 ORDER BY 1",
    [organizationId],
  );
  expect(rows.map(({ record_id: id }) => id)).toEqual([ids[0], ids[1]].toSorted());
});

/** Accounts of an organization that a migration deleted 31 days ago, and that an undo of it would restore. */
async function storeKept(organizationId: string, many: number): Promise<void> {
  await pool().query(
    `WITH deleted AS (
       INSERT INTO deleted_records (organization_id, deletion_id, resource, id, deleted_at, deleted_by_id,
         migration_id, is_part, record, cleared)
       SELECT $1, uuidv7(), 'accounts', uuidv7(), now(), $1, $1, false, '{}', '[]' FROM generate_series(1, $2)
       RETURNING id
     ) INSERT INTO migration_changes
         (organization_id, migration_id, resource, record_id, changed_at, version, before)
       SELECT $1, $1, 'accounts', id, now(), NULL, '{}' FROM deleted`,
    [organizationId, many],
  );
  await ageDeletions(organizationId, 31);
}

test("what an undo would restore stays, and does not keep the purge from what expired after it", async () => {
  const context = await createContext();
  const { organizationId } = context;
  await storeKept(organizationId, DELETE_BATCH_SIZE + 1);
  const { id } = await run(createOperation("accounts"), context, NEEDED.accounts);
  await run(deleteOperation("accounts"), context, { id });
  await ageDeletions(organizationId, 31);
  expect(await purgeDeleted(purgeFilesOf)).toBe(1);
  const left = await pool().query("SELECT FROM deleted_records WHERE organization_id = $1", [organizationId]);
  expect(left.rowCount).toBe(DELETE_BATCH_SIZE + 1);
});

test("a batch begins behind the one before it, and finds by its key what an undo would restore", async () => {
  const { organizationId } = await createContext();
  await storeKept(organizationId, DELETE_BATCH_SIZE + 100);
  await pool().query("ANALYZE deleted_records, migration_changes");
  const first = await pool().query<{ deletion_id: string; resource: string; id: string }>(
    `SELECT deletion_id, resource, id FROM deleted_records WHERE organization_id = $1
     ORDER BY deletion_id, resource, id OFFSET ${DELETE_BATCH_SIZE - 1} LIMIT 1`,
    [organizationId],
  );
  const values = [organizationId, MAX_UUID, ...Object.values(first.rows[0] ?? {})];
  const read = readersOf(
    await planOf({ text: DELETE_EXPIRED_RECORDS, values }, "force_custom_plan", { analyze: true }),
  );
  const ofTable = (table: string) =>
    read.filter((node) => node["Relation Name"] === table || node["Index Name"]?.startsWith(table));
  const rows = ofTable("deleted_records").map(
    (node) => (node["Actual Rows"] ?? 0) + (node["Rows Removed by Filter"] ?? 0),
  );
  expect(Math.max(...rows)).toBe(100);
  const lookedUp = ofTable("migration_changes").map((node) => node["Index Cond"] ?? "");
  expect(lookedUp.length).toBeGreaterThan(0);
  expect(lookedUp.filter((condition) => !/record_id = \w+\.id/.test(condition))).toEqual([]);
});
