import { beforeEach, expect, test } from "vitest";

import { inOrganization } from "@/lib/database/organization-scope";
import { registerJobSender } from "@/lib/jobs";
import { getUndoImpact } from "@/lib/migration/undo/undo-impact";
import type { UndoImpact } from "@/lib/migration/undo/undo-schema";
import { createOperation, deleteOperation, updateOperation } from "@/lib/records/operations";
import { createMigration, recordsOf, runMigration } from "@/tests/migration/support/run-migration";
import { sourceId, sourceRecord } from "@/tests/migration/support/scripted-source";
import { BETA, OBJECTS, org, undo } from "@/tests/migration/support/undo";
import { undoAsForetold } from "@/tests/migration/support/undo-as-foretold";
import { createContext, NEEDED } from "@/tests/support/factories";
import { run } from "@/tests/records/support/write-operations";
import { pool } from "@/tests/support/owner";

beforeEach(() => registerJobSender(async () => undefined));

test("records that people edited or attached records to are foretold as kept, with all that those need", async () => {
  const key = await createMigration(OBJECTS);
  const { organizationId } = key;
  const context = await createContext({ organizationId });
  await runMigration(key, org());
  const accounts = await recordsOf("accounts", organizationId);
  const cases = await recordsOf("cases", organizationId);
  await run(createOperation("contacts"), context, { ...NEEDED.contacts, account_id: accounts[BETA ?? ""]?.id });
  await run(updateOperation("cases"), context, { id: cases[sourceId("500", 2)]?.id, subject: "Edited" });
  const foretold = await undoAsForetold(context, key);
  expect(foretold.find(({ resource }) => resource === "cases")?.kept).toEqual({ edited_here: 1 });
  // The case keeps its contact, the contact its account and whom it reports to, and that one its account in turn.
  expect(foretold.find(({ resource }) => resource === "contacts")?.kept).toEqual({ attached: 2 });
  expect(foretold.find(({ resource }) => resource === "case_comments")?.kept).toEqual({ part: 1 });
});

test("what people have deleted is foretold as restorable no longer, unless somebody had edited it", async () => {
  const key = await createMigration(OBJECTS);
  const context = await createContext({ organizationId: key.organizationId });
  await runMigration(key, org());
  const cases = await recordsOf("cases", key.organizationId);
  const contacts = Object.values(await recordsOf("contacts", key.organizationId));
  const edited = contacts[0]?.id;
  await run(updateOperation("contacts"), context, { id: edited, title: "Edited" });
  await run(deleteOperation("contacts"), context, { id: edited });
  await run(deleteOperation("cases"), context, { id: cases[sourceId("500", 1)]?.id });
  const foretold = (await run(getUndoImpact, context, { migration_id: key.migrationId })) as unknown as UndoImpact;
  expect(foretold.purged).toBe(1);
  await undo(context, key);
  const left = await pool().query("SELECT id FROM deleted_records WHERE organization_id = $1 AND NOT is_part", [
    key.organizationId,
  ]);
  expect(left.rows).toEqual([{ id: edited }]);
});

/** A second migration of the same org, which renames a case of the first, and has an account of its own. */
async function renamedBySecond() {
  const first = await createMigration(OBJECTS);
  const { organizationId } = first;
  const context = await createContext({ organizationId });
  await runMigration(first, org());
  const second = await createMigration(OBJECTS, undefined, organizationId);
  const source = org();
  source.records.Account?.push(sourceRecord("001", 4, { Name: "New" }));
  Object.assign(source.records.Case?.[0] ?? {}, { Subject: "Renamed", AccountId: sourceId("001", 4) });
  await runMigration(second, source);
  const cases = await recordsOf("cases", organizationId);
  return { second, context, id: String(cases[sourceId("500", 1)]?.id) };
}

test("a record whose change is undone lets go of what it refers to, one that was edited since does not", async () => {
  const undone = await renamedBySecond();
  expect(await undoAsForetold(undone.context, undone.second)).toContainEqual({
    resource: "accounts",
    deleted: 1,
    restored: 0,
    kept: {},
  });

  const { second, context, id } = await renamedBySecond();
  await run(updateOperation("cases"), context, { id, priority: "high" });
  const foretold = await undoAsForetold(context, second);
  expect(foretold).toContainEqual({ resource: "accounts", deleted: 0, restored: 0, kept: { attached: 1 } });
});

test("a case that a delta deleted is foretold as restored with its thread", async () => {
  const first = await createMigration(OBJECTS);
  const { organizationId } = first;
  const context = await createContext({ organizationId });
  await runMigration(first, org());
  const second = await createMigration(OBJECTS, undefined, organizationId);
  await runMigration(second, org("Acme renamed"));
  // What the migration removed, as its record tells it: the image of the row, and no version of its own.
  const cases = await recordsOf("cases", organizationId);
  for (const [table, field] of [
    ["case_comments", "case_id"],
    ["cases", "id"],
  ] as const)
    await pool().query(
      `WITH gone AS (DELETE FROM ${table} t WHERE organization_id = $1 AND ${field} = $3 RETURNING t.*)
       INSERT INTO migration_changes (organization_id, migration_id, resource, record_id, before, changed_at)
       SELECT $1, $2, '${table}', id, to_jsonb(gone), now() FROM gone
       ON CONFLICT (organization_id, migration_id, resource, record_id) DO UPDATE SET version = NULL`,
      [organizationId, second.migrationId, cases[sourceId("500", 1)]?.id],
    );
  const foretold = await undoAsForetold(context, second);
  expect(foretold.find(({ resource }) => resource === "case_comments")).toMatchObject({ restored: 2, kept: {} });
});

test("files are foretold as removed, or as staying with the records that stay", async () => {
  const key = await createMigration(OBJECTS);
  const { organizationId } = key;
  const context = await createContext({ organizationId });
  await runMigration(key, org());
  const cases = await recordsOf("cases", organizationId);
  const [kept, gone] = [1, 2].map((number) => String(cases[sourceId("500", number)]?.id));
  await run(updateOperation("cases"), context, { id: kept, subject: "Edited" });
  for (const record of [kept, gone])
    await pool().query(
      `INSERT INTO files
         (organization_id, id, created_at, resource, record_id, ext_id, name, size, sha256, migration_id)
       VALUES ($1, gen_random_uuid(), now(), 'cases', $2::uuid, $2::text, 'a.txt', 1, '', $3)`,
      [organizationId, record, key.migrationId],
    );
  const impact = await run(getUndoImpact, context, { migration_id: key.migrationId });
  expect(impact).toMatchObject({ files: 1, files_kept: 1 });
  await undo(context, key);
  const { rows } = await pool().query("SELECT record_id FROM files WHERE organization_id = $1", [organizationId]);
  expect(rows).toEqual([{ record_id: kept }]);
});

test("the impact of another organization's migration is not told", async () => {
  const key = await createMigration(["Account"]);
  const stranger = await createContext();
  await expect(
    inOrganization(stranger.organizationId, () => run(getUndoImpact, stranger, { migration_id: key.migrationId })),
  ).rejects.toMatchObject({ code: "not_found" });
});
