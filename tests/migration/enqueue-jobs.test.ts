import { beforeAll, expect, test } from "vitest";

import { registerSender } from "@/inngest/client";
import { transaction } from "@/lib/database/db";
import { requestJob } from "@/lib/jobs";
import { reenqueueMigrations } from "@/lib/migration/enqueue-jobs";
import type { MigrationKey } from "@/lib/migration/status";
import { createMigration } from "@/tests/migration/support/run-migration";
import { startRun } from "@/tests/migration/support/within";
import { pool } from "@/tests/support/owner";

beforeAll(async () => {
  registerSender();
});

interface Asked {
  id: string;
  name: string;
  data: unknown;
}

/** The events that enqueue a job of a migration. */
async function eventsOf(key: MigrationKey): Promise<Asked[]> {
  const found = await pool().query<{ body: string }>(
    `SELECT body FROM job_events WHERE body::jsonb->'data'->>'migration_id' = $1`,
    [key.migrationId],
  );
  return found.rows.map(({ body }) => JSON.parse(body) as Asked);
}

async function makeOlder(key: MigrationKey, interval: string): Promise<void> {
  await pool().query(
    `UPDATE migrations SET created_at = created_at - $2::interval, started_at = started_at - $2::interval
     WHERE id = $1`,
    [key.migrationId, interval],
  );
}

async function createAnalyzing(): Promise<MigrationKey> {
  const key = await createMigration();
  await pool().query(`UPDATE migrations SET status = 'analyzing', report = NULL WHERE id = $1`, [key.migrationId]);
  return key;
}

test("an analysis whose job was never enqueued is enqueued once", async () => {
  const key = await createAnalyzing();
  await reenqueueMigrations();
  await reenqueueMigrations();
  expect(await eventsOf(key)).toMatchObject([
    {
      name: "migration/analyze.requested",
      data: { organization_id: key.organizationId, migration_id: key.migrationId },
    },
  ]);
});

test("a run whose job was never enqueued is enqueued with its number", async () => {
  const key = await createMigration();
  const run = await transaction((client) => startRun(client, key));
  await reenqueueMigrations();
  expect(await eventsOf(key)).toMatchObject([{ name: "migration/run.requested", data: { run_number: run.runNumber } }]);
});

test("a job that is already enqueued is not enqueued twice", async () => {
  const key = await createAnalyzing();
  await requestJob(
    "migration/analyze.requested",
    { organization_id: key.organizationId, migration_id: key.migrationId },
    `analyze-${key.migrationId}`,
  );
  await reenqueueMigrations();
  expect(await eventsOf(key)).toHaveLength(1);
});

test("old and idle migrations are ignored, and those that wait for API requests", async () => {
  const [ancient, ready, waiting] = [await createAnalyzing(), await createMigration(), await createMigration()];
  await makeOlder(ancient, "2 days");
  await transaction((client) => startRun(client, waiting));
  await pool().query("UPDATE migrations SET wakes_at = now() + interval '1 hour' WHERE id = $1", [waiting.migrationId]);
  await reenqueueMigrations();
  for (const key of [ancient, ready, waiting]) expect(await eventsOf(key)).toEqual([]);
});
