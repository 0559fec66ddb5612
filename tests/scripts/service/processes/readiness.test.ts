import { spawn } from "node:child_process";
import { once } from "node:events";

import { escapeIdentifier } from "pg";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";

import { GET as ready } from "@/app/api/health/ready/route";
import { startWorker } from "@/inngest/worker";
import { pool } from "@/lib/database/db";
import { RELEASE_MIGRATIONS } from "@/lib/database/release-migrations";
import { readBacklog, readBacklogInTime } from "@/lib/observability/backlog";
import { registerMetrics } from "@/lib/observability/instruments";
import { openMetrics } from "@/lib/observability/open-metrics";
import type { Readiness } from "@/lib/observability/readiness";
import { announceStop } from "@/lib/shutdown";
import { freePort } from "@/scripts/service/free-port";
import { ROOT } from "@/scripts/service/root";
import { createContext } from "@/tests/support/factories";
import { pool as owner } from "@/tests/support/owner";
import { readSettings } from "@/tests/support/read-settings";
import { openWebhook } from "@/tests/webhooks/support/own-webhook";

const holder = globalThis as Record<string, unknown>;

/** As a process does that has just started. */
afterEach(() => {
  for (const name of ["crmIsMigrated", "crmStopping", "crmBacklog"]) delete holder[name];
});

async function ask(): Promise<Readiness & { http: number }> {
  const answer = await ready();
  return { http: answer.status, ...((await answer.json()) as Readiness) };
}

const newest = RELEASE_MIGRATIONS.at(-1) ?? "";

async function endNewestMigration(moment: "NULL" | "now()"): Promise<void> {
  await owner().query(`UPDATE _prisma_migrations SET finished_at = ${moment} WHERE migration_name = $1`, [newest]);
}

test("a process is not ready until the database has the migrations of its release", async () => {
  await endNewestMigration("NULL");
  expect(await ask()).toMatchObject({ http: 503, reasons: ["migrations"], migrations: { missing: [newest] } });
  await endNewestMigration("now()");
  expect(await ask()).toMatchObject({ http: 200, status: "ready", reasons: [], migrations: { missing: [] } });
});

const READ = "SELECT (migration_name, finished_at, rolled_back_at) ON _prisma_migrations";

test("a process whose user has lost its privileges, as one of another DATABASE_RUNTIME_URL, is not ready", async () => {
  const { username } = new URL(process.env.DATABASE_URL ?? "");
  expect(await ask()).toMatchObject({ http: 200, reasons: [] });
  await owner().query(`REVOKE ${READ} FROM ${escapeIdentifier(username)}`);
  onTestFinished(async () => void (await owner().query(`GRANT ${READ} TO ${escapeIdentifier(username)}`)));
  expect(await ask()).toMatchObject({ http: 503, reasons: ["migrations"], migrations: { missing: null } });
});

test("a process that was ready stays so while the table of migrations answers late", async () => {
  expect(await ask()).toMatchObject({ http: 200, reasons: [] });
  const lock = await owner().connect();
  await lock.query("BEGIN; LOCK TABLE _prisma_migrations");
  const late = await ask();
  await lock.query("ROLLBACK");
  lock.release();
  expect(late).toMatchObject({ http: 200, reasons: [], migrations: { missing: [] } });
});

test("readiness counts live workers and the jobs that wait, and misses neither", async () => {
  await owner().query("SELECT graphile_worker.add_job('wake-run', '{}', run_at => now() - interval '90 seconds')");
  const without = await ask();
  expect(without).toMatchObject({ http: 200, engine: { kind: "embedded", workers: 0 }, backlog: { jobs_waiting: 1 } });
  expect(without.backlog?.oldest_job_seconds).toBeGreaterThanOrEqual(90);
  // Its turn comes when the other job of its queue has ended: more workers would not take it earlier.
  await owner().query("SELECT graphile_worker.add_job('wake-run', '{}', 'held', now() - interval '300 seconds')");
  await owner().query(
    `UPDATE graphile_worker._private_job_queues SET locked_at = now(), locked_by = 'a worker'
     WHERE queue_name = 'held'`,
  );
  delete holder.crmBacklog;
  const { backlog } = await ask();
  expect(backlog?.jobs_waiting).toBe(2);
  expect(backlog?.oldest_job_seconds).toBeLessThan(300);
  await owner().query("DELETE FROM graphile_worker._private_jobs WHERE run_at < now() - interval '200 seconds'");
  const worker = await startWorker({ functions: [] });
  delete holder.crmBacklog;
  expect(await ask()).toMatchObject({ http: 200, engine: { kind: "embedded", workers: 1 } });
  await worker.stop();
  await expect
    .poll(async () => {
      delete holder.crmBacklog;
      return (await ask()).engine;
    })
    .toEqual({ kind: "embedded", workers: 0 });
});

test("with an Inngest server, jobs that the embedded engine has left behind are no backlog", async () => {
  await owner().query("SELECT graphile_worker.add_job('wake-run', '{}', run_at => now() - interval '90 seconds')");
  await readSettings({ INNGEST_DEV: "1" });
  const { GET: readyBesideServer } = await import("@/app/api/health/ready/route");
  const { engine, backlog } = (await (await readyBesideServer()).json()) as Readiness;
  expect(engine).toEqual({ kind: "inngest" });
  expect(backlog).toMatchObject({ jobs_waiting: 0, jobs_running: 0, oldest_job_seconds: 0 });
  await owner().query("DELETE FROM graphile_worker._private_jobs");
});

test("readiness counts requests that the Inngest server did not take, and none that was just stored", async () => {
  await owner().query(
    `INSERT INTO job_requests (id, name, data, created_at, attempts, next_attempt_at) VALUES
       ('stored', 'any', '{}', now(), 0, now()),
       ('refused', 'any', '{}', now() - interval '70 seconds', 3, now()),
       ('refused again', 'any', '{}', now() - interval '20 seconds', 1, now())`,
  );
  const { backlog } = await ask();
  expect(backlog).toMatchObject({ requests_waiting: 2 });
  expect(backlog?.oldest_request_seconds).toBeGreaterThanOrEqual(70);
  await owner().query("DELETE FROM job_requests");
});

const DUE = `
  INSERT INTO webhook_deliveries (organization_id, webhook_id, event_id, event_tx, type, created_at, next_attempt_at)
  SELECT $1, $2, uuidv7(), 0, 'account.created', now(), now() - $3::interval FROM generate_series(1, $4)`;

test("the long queue of one webhook hides no delivery of another that has waited longer", async () => {
  const context = await createContext();
  const waiting = [
    { since: "1 second", deliveries: 100_000 },
    { since: "1 hour", deliveries: 1 },
  ];
  for (const { since, deliveries } of waiting) {
    const { organizationId, webhookId } = await openWebhook(context, { url: "https://hooks.example.com/crm" });
    await owner().query(DUE, [organizationId, webhookId, since, deliveries]);
  }
  const backlog = await readBacklog();
  expect(backlog.deliveries_due).toBe(100_000);
  expect(backlog.oldest_delivery_seconds).toBeGreaterThanOrEqual(3600);
  await owner().query("DELETE FROM webhook_deliveries");
});

test("while a reading of the backlog lasts, nobody starts another, nor in the five seconds after it", async () => {
  const lock = await owner().connect();
  await lock.query("BEGIN; LOCK TABLE webhooks");
  vi.useFakeTimers({ toFake: ["performance"] });
  try {
    const first = readBacklog();
    vi.advanceTimersByTime(30_000);
    expect(readBacklog()).toBe(first);
    await lock.query("ROLLBACK");
    await first;
    vi.advanceTimersByTime(4_000);
    expect(readBacklog()).toBe(first);
    vi.advanceTimersByTime(2_000);
    const second = readBacklog();
    expect(second).not.toBe(first);
    await second;
  } finally {
    vi.useRealTimers();
    await lock.query("ROLLBACK");
    lock.release();
  }
});

test("where readings of the backlog are slow, the last one that has ended is told, for 90 seconds", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const read = await readBacklogInTime();
  const lock = await owner().connect();
  await lock.query("BEGIN; LOCK TABLE webhooks");
  try {
    vi.advanceTimersByTime(60_000);
    expect(await readBacklogInTime()).toBe(read);
    vi.advanceTimersByTime(40_000);
    expect(await readBacklogInTime()).toBeNull();
  } finally {
    vi.useRealTimers();
    await lock.query("ROLLBACK");
    lock.release();
  }
});

test("while all connections of the pool are taken, a scrape tells so within seconds", async () => {
  const { registry } = await openMetrics();
  onTestFinished(() => registerMetrics(undefined));
  const taken = await Promise.all(Array.from({ length: pool().options.max }, () => pool().connect()));
  const started = performance.now();
  const waiting = pool().query("SELECT");
  const told = await registry.metrics();
  const took = performance.now() - started;
  for (const client of taken) client.release();
  await waiting;
  expect(took).toBeLessThan(5_000);
  expect(told).toMatch(/^crm_database_pool_waiting [1-9]/m);
  expect(told).toMatch(/^crm_jobs_waiting nan$/im);
});

test("a process that is about to end is not ready, though it still answers", async () => {
  announceStop();
  expect(await ask()).toMatchObject({ http: 503, reasons: ["stopping"], database: { answers: true } });
});

test("a worker lives, and is not ready until the database has the migrations of its release", async () => {
  await endNewestMigration("NULL");
  const port = String(await freePort());
  const worker = spawn(process.execPath, ["dist/worker.js"], {
    cwd: ROOT,
    env: { ...process.env, METRICS_PORT: port },
    stdio: "ignore",
  });
  const exited = once(worker, "exit");
  try {
    const askWorker = async (path: string) => (await fetch(`http://127.0.0.1:${port}/api/health/${path}`)).status;
    await expect.poll(() => askWorker("live").catch(() => 0)).toBe(200);
    expect(await askWorker("ready")).toBe(503);
    await endNewestMigration("now()");
    await expect.poll(() => askWorker("ready")).toBe(200);
  } finally {
    worker.kill();
    await exited;
    await endNewestMigration("now()");
  }
});
