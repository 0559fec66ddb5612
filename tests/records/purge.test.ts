import { expect, test } from "vitest";

import { purgeFilesOf } from "@/lib/files/purge-files";
import { createOperation, deleteOperation, restoreOperation } from "@/lib/records/operations";
import { DELETE_EXPIRED_RECORDS, purgeDeleted } from "@/lib/records/purge";
import { run } from "@/tests/records/support/write-operations";
import { createContext, insertRecord, NEEDED } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";
import { planAcross, readersOf } from "@/tests/support/query-plan";

async function age(organizationId: string, days: number): Promise<void> {
  await pool().query(
    "UPDATE deleted_records SET deleted_at = deleted_at - $2 * interval '1 day' WHERE organization_id = $1",
    [organizationId, days],
  );
}

test("expired deleted records are purged with their history, and nothing else is", async () => {
  const [old, young] = [await createContext(), await createContext()];
  for (const context of [old, young]) {
    const { id } = await run(createOperation("opportunities"), context, NEEDED.opportunities);
    await run(createOperation("opportunities"), context, NEEDED.opportunities);
    await run(deleteOperation("opportunities"), context, { id });
  }
  await age(old.organizationId, 30);
  await age(young.organizationId, 29);
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
  await age(organizationId, 30);
  expect(await purgeDeleted(purgeFilesOf)).toBe(2);
  const { rows } = await pool().query<{ record_id: string }>(
    "SELECT record_id FROM waiting_links WHERE organization_id = $1 ORDER BY 1",
    [organizationId],
  );
  expect(rows.map(({ record_id: id }) => id)).toEqual([ids[0], ids[1]].toSorted());
});

test("expired ones are found by their time, and what an undo would restore by its key", async () => {
  const { organizationId } = await createContext();
  await pool().query(
    `WITH changes AS (
       INSERT INTO migration_changes (organization_id, migration_id, resource, record_id, changed_at, version, before)
       SELECT $1, $1, 'accounts', uuidv7(), now(), NULL, '{}' FROM generate_series(1, 5000)
     ) INSERT INTO deleted_records (organization_id, deletion_id, resource, id, deleted_at, deleted_by_id,
         migration_id, is_part, record, cleared)
       SELECT $1, uuidv7(), 'accounts', uuidv7(), now() - n * interval '1 minute', $1, $1, false, '{}', '[]'
       FROM generate_series(1, 5000) AS n`,
    [organizationId],
  );
  await pool().query("ANALYZE deleted_records, migration_changes");
  const nodes = await planAcross({ text: DELETE_EXPIRED_RECORDS, values: [] }, "force_custom_plan");
  const conditionsOf = (table: string, index: RegExp) =>
    readersOf(nodes)
      .filter((node) => node["Relation Name"] === table || index.test(node["Index Name"] ?? ""))
      .map((node) => node["Index Cond"]);
  expect(conditionsOf("deleted_records", /deleted_at/)).toContainEqual(expect.stringMatching(/deleted_at <=/));
  const lookedUp = conditionsOf("migration_changes", /^migration_changes/);
  expect(lookedUp.length).toBeGreaterThan(0);
  expect(lookedUp.filter((condition) => !/record_id = \w+\.id/.test(condition ?? ""))).toEqual([]);
});
