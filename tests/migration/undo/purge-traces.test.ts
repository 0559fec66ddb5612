import { beforeEach, expect, test } from "vitest";

import { inOrganization } from "@/lib/database/organization-scope";
import { MIN_UUID, newId } from "@/lib/ids";
import { registerJobSender } from "@/lib/jobs";
import type { MigrationKey } from "@/lib/migration/migration-schema";
import { DELETIONS, OFF_FOR_DELETIONS } from "@/lib/migration/undo/purge-traces";
import { undoMigration } from "@/lib/migration/undo/undo-migration";
import { workUndo } from "@/lib/migration/undo/work-undo";
import { createMigration, runMigration } from "@/tests/migration/support/run-migration";
import { org, statusOf } from "@/tests/migration/support/undo";
import { run } from "@/tests/records/support/write-operations";
import { createContext } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";
import { PLAN_MODES, planOf } from "@/tests/support/query-plan";

beforeEach(() => registerJobSender(async () => undefined));

test("what an undo forgets at its end goes page by page, each in a transaction of its own", async () => {
  const key = await createMigration(["Account"]);
  const { organizationId, migrationId } = key;
  const context = await createContext({ organizationId });
  await runMigration(key, org());
  await pool().query(
    `INSERT INTO ext_aliases (organization_id, ext_id, entity, record_id, migration_id)
     SELECT $1, n, 'accounts', uuidv7(), $2 FROM generate_series(1, 6000) AS n`,
    [organizationId, migrationId],
  );
  await run(undoMigration, context, { migration_id: migrationId });
  const left = new Set<number | null>();
  for (let outcome = "more"; outcome === "more";) {
    outcome = await inOrganization(organizationId, () => workUndo({ ...key, undoNumber: 1 }, 0));
    left.add((await pool().query("SELECT FROM ext_aliases WHERE organization_id = $1", [organizationId])).rowCount);
  }
  expect([...left]).toEqual([6000, 1000, 0]);
  expect((await statusOf(key)).status).toBe("undone");
});

/** Deletions of records that the migration created, or another one, each of one opportunity with a stage and a link. */
async function storeDeletions({ organizationId, migrationId }: MigrationKey, many: number): Promise<void> {
  await pool().query(
    `WITH deleted AS (
       INSERT INTO deleted_records (organization_id, deletion_id, resource, id, deleted_at, deleted_by_id, is_part,
         record, cleared)
       SELECT $1, uuidv7(), 'opportunities', uuidv7(), now(), uuidv7(), false,
         json_build_object('migration_id', $2::text, 'version', 1, 'imported_version', 1), '[]'
       FROM generate_series(1, $3) RETURNING id
     ), links AS (
       INSERT INTO waiting_links
         (organization_id, resource, record_id, object, source_field, column_name, target, target_ext_id)
       SELECT $1, 'opportunities', id, 'Opportunity', 'AccountId', 'account_id', 'accounts', '001' FROM deleted
     )
     INSERT INTO opportunity_stage_changes (organization_id, id, opportunity_id, to_stage, changed_at, changed_by_id)
     SELECT $1, uuidv7(), id, 'proposal', now(), uuidv7() FROM deleted`,
    [organizationId, migrationId, many],
  );
}

test("what people deleted of a migration is purged by pages with stages and links, and of others nothing", async () => {
  const key = await createMigration(["Account"]);
  const { organizationId, migrationId } = key;
  const context = await createContext({ organizationId });
  await runMigration(key, org());
  await storeDeletions(key, 1200);
  await storeDeletions({ organizationId, migrationId: newId() }, 1);
  await run(undoMigration, context, { migration_id: migrationId });
  const undo = { ...key, undoNumber: 1 };
  const left = new Set<string>();
  for (let outcome = "more"; outcome === "more";) {
    outcome = await inOrganization(organizationId, () => workUndo(undo, 0));
    const { rows } = await pool().query<{ deletions: number; stages: number; links: number }>(
      `SELECT (SELECT count(*) FROM deleted_records WHERE organization_id = $1) AS deletions,
         (SELECT count(*) FROM opportunity_stage_changes WHERE organization_id = $1) AS stages,
         (SELECT count(*) FROM waiting_links WHERE organization_id = $1) AS links`,
      [organizationId],
    );
    left.add(`${rows[0]?.deletions} ${rows[0]?.stages} ${rows[0]?.links}`);
  }
  expect([...left]).toEqual(["1201 1201 1201", "701 701 701", "201 201 201", "1 1 1"]);
  expect(await inOrganization(organizationId, () => workUndo(undo, 0))).toBe("ended");
  expect((await statusOf(key)).status).toBe("undone");
});

test("a page of such deletions reads those that follow in the order of the key, and no others", async () => {
  const key = await createMigration(["Account"]);
  await storeDeletions(key, 20_000);
  await pool().query("ANALYZE deleted_records");
  for (const mode of PLAN_MODES) {
    const values = [key.organizationId, key.migrationId, MIN_UUID];
    const nodes = await planOf({ text: DELETIONS, values }, mode, { analyze: true, off: OFF_FOR_DELETIONS });
    expect(Math.max(...nodes.map((node) => node["Actual Rows"] ?? 0))).toBeLessThanOrEqual(501);
  }
});
