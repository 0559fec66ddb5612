import { afterAll, beforeAll, expect, test } from "vitest";

import { registerSender } from "@/inngest/client";
import { runMigration as runMigrationJob } from "@/inngest/functions/run-migration";
import { transaction } from "@/lib/database/db";
import { enqueueRun } from "@/lib/migration/enqueue-jobs";
import { AUTOMATIC_OBJECTS } from "@/lib/migration/objects/source-object-names";
import type { MigrationKey } from "@/lib/migration/migration-schema";
import { type RunningOrg, startSandboxOrg } from "@/sandbox-org/start";
import { startEngine, until } from "@/tests/inngest/support/engine-under-test";
import { createMigration } from "@/tests/migration/support/run-migration";
import { findMigration, startRun } from "@/tests/migration/support/within";
import { pool } from "@/tests/support/owner";

/** Small pages that take their time, so that the whole org takes a minute, and its accounts a second. */
const [RECORDS, PAGE_SIZE, DELAY_MS] = [3000, 10, 150];

let org: RunningOrg;
let stop: () => Promise<void>;

beforeAll(async () => {
  org = await startSandboxOrg({ records: RECORDS, pageSize: PAGE_SIZE });
  await org.setRules([{ path: "/query", delayMs: DELAY_MS }]);
  stop = await startEngine([runMigrationJob]);
  registerSender();
});
afterAll(async () => {
  await stop();
  await org.stop();
});

/** A migration of these objects into an organization, whose run is enqueued. */
async function start(objects: readonly string[], organizationId?: string): Promise<MigrationKey> {
  const key = await createMigration(objects, org, organizationId);
  await transaction(async (client) => enqueueRun(client, await startRun(client, key)));
  return key;
}

async function progressOf({ organizationId, migrationId }: MigrationKey): Promise<number> {
  const { objects } = await findMigration(organizationId, migrationId);
  return objects.reduce((sum, { created, updated, unchanged }) => sum + created + updated + unchanged, 0);
}

/** Whether a slice has begun with an object. */
async function hasBegun({ organizationId, migrationId }: MigrationKey): Promise<boolean> {
  return (await findMigration(organizationId, migrationId)).objects.some(({ status }) => status !== "pending");
}

/** How many slices have ended. Other steps of its jobs are the events with which it goes on. */
async function slicesOf({ migrationId }: MigrationKey): Promise<number> {
  const { rows } = await pool().query<{ slices: number }>(
    `SELECT count(*)::int AS slices FROM job_steps s JOIN job_runs r ON r.id = s.run_id JOIN job_events e
       ON e.id = r.event_id
     WHERE e.body::jsonb->'data'->>'migration_id' = $1 AND s.value IN ('{"data":"more"}', '{"data":"others wait"}')`,
    [migrationId],
  );
  return rows[0]?.slices ?? 0;
}

/** How many slices a turn has (run-migration.ts). */
const SLICES_PER_TURN = 3;

test("a small migration begins after the turn of a large one of its organization, and both go on", async () => {
  const large = await start(AUTOMATIC_OBJECTS);
  await until("the progress of the large one", async () => (await progressOf(large)) > 0);
  const slices = await slicesOf(large);
  const small = await start(["Account"], large.organizationId);
  await until("the small one's turn", () => hasBegun(small));
  // On a slow machine the first turn may be over before the small one waits; then it is the next slice.
  expect(await slicesOf(large)).toBe(Math.max(SLICES_PER_TURN, slices + 1));
  await until("the progress of the small one", async () => (await progressOf(small)) > 0);
  const before = await progressOf(large);
  expect((await findMigration(large.organizationId, large.migrationId)).status).toBe("running");
  await until("the large one's next turn", async () => (await progressOf(large)) > before);
});
