import { Client } from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";

import { registerSender } from "@/inngest/client";
import { runMigration as runMigrationJob } from "@/inngest/functions/run-migration";
import { transaction } from "@/lib/database/db";
import { MAX_UUID, MIN_UUID } from "@/lib/ids";
import { enqueueRun, reenqueueMigrations, UNFINISHED } from "@/lib/migration/enqueue-jobs";
import { LIST } from "@/lib/migration/find-migration";
import { AUTOMATIC_OBJECTS } from "@/lib/migration/objects/source-object-names";
import { DUE_DELTAS } from "@/lib/migration/runs/start-delta";
import { DUE_RUNS, wakeDueRuns } from "@/lib/migration/runs/wake-runs";
import { DELIVERIES } from "@/lib/observability/backlog";
import { type RunningOrg, startSandboxOrg } from "@/sandbox-org/start";
import { startEngine, until } from "@/tests/inngest/support/engine-under-test";
import { createMigration, finishedOf } from "@/tests/migration/support/run-migration";
import { startRun } from "@/tests/migration/support/within";
import { pool } from "@/tests/support/owner";
import { PLAN_MODES, planAcross, planOf, readersOf } from "@/tests/support/query-plan";

const [ORGANIZATIONS, EACH] = [100, 100];
const OPEN = ORGANIZATIONS * EACH;

/** Of one sweep, whatever it finds: the search, and a transaction of a few statements for two hundred each. */
const MAX_STATEMENTS = 30;

const INSERT = [
  `INSERT INTO organizations (id, name, created_at)
   SELECT uuidv7(), 'Open', now() FROM generate_series(1, ${ORGANIZATIONS})`,
  `INSERT INTO users (id, email, name, created_at)
   SELECT uuidv7(), id || '@example.com', 'Ada Example', now() FROM organizations WHERE name = 'Open'`,
  `INSERT INTO memberships (organization_id, user_id, role, created_at)
   SELECT o.id, u.id, 'admin', now() FROM organizations o JOIN users u ON u.email = o.id || '@example.com'`,
  `INSERT INTO connections (
     id, organization_id, ext_instance_url, access_token_enc, created_by_id, created_at, updated_at)
   SELECT uuidv7(), organization_id, 'https://open.my.salesforce.com', '', user_id, now(), now()
   FROM memberships JOIN organizations o ON o.id = organization_id AND o.name = 'Open'`,
  `INSERT INTO migrations (organization_id, id, created_at, updated_at, connection_id, created_by_id, status,
     run_number, started_at, undo_number, undo_started_at)
   SELECT organization_id, uuidv7(), now(), now(), c.id, created_by_id,
     (ARRAY['analyzing', 'running', 'undoing'])[1 + n % 3]::migration_status, 1, now(), 1, now()
   FROM connections c, generate_series(1, ${EACH}) n WHERE ext_instance_url = 'https://open.my.salesforce.com'`,
  `ANALYZE migrations`,
];

let org: RunningOrg;
/** How long a small migration takes while no other is open, in milliseconds. */
let alone: number;

beforeAll(async () => {
  org = await startSandboxOrg({ records: 300 });
  registerSender();
  const stop = await startEngine([runMigrationJob]);
  await runSmall();
  alone = await runSmall();
  await stop();
  for (const sql of INSERT) await pool().query(sql);
});
afterAll(() => org.stop());

/** Runs a migration of a new organization by the engine, and returns how many milliseconds that takes. */
async function runSmall(): Promise<number> {
  const key = await createMigration(AUTOMATIC_OBJECTS, org);
  const began = performance.now();
  await transaction(async (client) => enqueueRun(client, await startRun(client, key)));
  await until("the end of the small migration", async () => (await finishedOf(key)).status.startsWith("completed"));
  return performance.now() - began;
}

/** How many statements some work sends. */
async function statementsOf(work: () => Promise<unknown>): Promise<number> {
  const query = vi.spyOn(Client.prototype, "query");
  try {
    await work();
    return query.mock.calls.length;
  } finally {
    query.mockRestore();
  }
}

/** The open migrations whose job the engine has been asked for. */
async function countAsked(): Promise<number> {
  const { rows } = await pool().query<{ asked: number }>(
    `SELECT count(DISTINCT m.id)::int AS asked FROM migrations m
     JOIN job_events e ON e.body::jsonb -> 'data' ->> 'migration_id' = m.id::text
     WHERE m.status IN ('analyzing', 'running', 'undoing')`,
  );
  return rows[0]?.asked ?? 0;
}

test("a sweep asks for a thousand jobs in some statements, and every migration comes to its turn", async () => {
  for (let sweep = 1; sweep <= OPEN / 1000; sweep += 1) {
    expect(await statementsOf(reenqueueMigrations), `sweep ${sweep}`).toBeLessThan(MAX_STATEMENTS);
    expect(await countAsked()).toBe(sweep * 1000);
  }
  await reenqueueMigrations();
  expect(await statementsOf(reenqueueMigrations), "the next time around").toBeLessThan(MAX_STATEMENTS);
});

test("runs that wait are woken by a few statements for each organization", async () => {
  await pool().query("UPDATE migrations SET wakes_at = now() WHERE status = 'running'");
  expect(await statementsOf(wakeDueRuns)).toBeLessThan(ORGANIZATIONS * 8);
  const { rows } = await pool().query("SELECT FROM migrations WHERE status = 'running' AND resumed_at IS NULL");
  expect(rows).toEqual([]);
  expect(await statementsOf(wakeDueRuns)).toBeLessThan(3);
});

/** The engine knows nine of ten: each sleeps. The rest are started while the small migration is. */
const SLEEPING = [
  "UPDATE job_events SET dispatched_at = now() WHERE dispatched_at IS NULL",
  `DELETE FROM job_events e USING migrations m
   WHERE e.body::jsonb -> 'data' ->> 'migration_id' = m.id::text AND m.id IN (
     SELECT id FROM migrations WHERE status IN ('analyzing', 'running', 'undoing') ORDER BY id LIMIT ${OPEN / 10})`,
  `INSERT INTO job_runs (id, function_id, event_id, state, started_at)
   SELECT uuidv7(), 'crm-run-migration', id, 'running', now() FROM job_events e
   WHERE NOT EXISTS (SELECT FROM job_runs r WHERE r.event_id = e.id)`,
  `SELECT graphile_worker.add_job('wake-run', json_build_object('run_id', id, 'step', 'wait'),
     run_at => now() + interval '1 hour') FROM job_runs WHERE state = 'running'`,
];

test("a small migration of another organization takes hardly longer", async () => {
  for (const sql of SLEEPING) await pool().query(sql);
  const stop = await startEngine([runMigrationJob]);
  const sweeping = reenqueueMigrations();
  const beside = await runSmall();
  await sweeping;
  await stop();
  expect(beside, `alone: ${Math.round(alone)} ms`).toBeLessThan(3 * alone + 5000);
});

test.each(PLAN_MODES)("what looks for work reads an index (%s)", async (mode) => {
  const looked = [
    { text: UNFINISHED, values: [MIN_UUID, 1000], index: "migrations_unfinished_idx" },
    { text: DUE_RUNS, values: [], index: "migrations_wakes_at_idx" },
    { text: DUE_DELTAS, values: [], index: "migrations_delta_next_at_idx" },
  ];
  for (const { index, ...asked } of looked) {
    const readers = readersOf(await planAcross(asked, mode));
    expect(readers.map((node) => node["Index Name"])).toEqual([index]);
  }
  const deliveries = readersOf(await planAcross({ text: DELIVERIES, values: [] }, mode));
  expect(deliveries.map((node) => node["Relation Name"] ?? node["Index Name"])).not.toContain("migrations");
});

test.each(PLAN_MODES)("the list of an organization's migrations reads its own alone (%s)", async (mode) => {
  const { rows } = await pool().query<{ id: string }>(
    "SELECT organization_id AS id FROM migrations WHERE status = 'undoing' LIMIT 1",
  );
  const nodes = await planOf({ text: LIST, values: [rows[0]?.id, MAX_UUID, 26] }, mode, { analyze: true });
  const scans = readersOf(nodes).filter((node) => node["Relation Name"] === "migrations");
  expect([...new Set(scans.map((node) => node["Index Name"]))]).toEqual(["migrations_pkey"]);
  expect(Math.max(...scans.map((node) => node["Actual Rows"] ?? 0))).toBeLessThanOrEqual(26);
});
