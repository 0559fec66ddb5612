import { beforeEach, expect, test } from "vitest";

import { transaction } from "@/lib/database/db";
import { configurationSchema } from "@/lib/migration/configuration/configuration-schema";
import { reenqueueMigrations } from "@/lib/migration/enqueue-jobs";
import type { MigrationKey } from "@/lib/migration/migration-schema";
import { cancelMigration, pauseMigration, resumeMigration } from "@/lib/migration/runs/control-run";
import { wakeDueRuns } from "@/lib/migration/runs/wake-runs";
import { undoMigration } from "@/lib/migration/undo/undo-migration";
import { execute, type Operation } from "@/lib/operation";
import { SalesforceError } from "@/lib/salesforce/errors";
import { recordJobs } from "@/tests/migration/support/api-service";
import { contextOf } from "@/tests/migration/support/delta";
import { createMigration, finishedOf, workToTheEnd } from "@/tests/migration/support/run-migration";
import { ScriptedSource, sourceRecord } from "@/tests/migration/support/scripted-source";
import { findMigration, startRun } from "@/tests/migration/support/within";
import { pool } from "@/tests/support/owner";

const RECORDS = 1500;

let key: MigrationKey;
let source: ScriptedSource;
let jobs: ReturnType<typeof recordJobs>;

beforeEach(async () => {
  key = await createMigration(["Account"]);
  const records = Array.from({ length: RECORDS }, (_, index) => sourceRecord("001", index + 1, { Name: `A${index}` }));
  source = new ScriptedSource({ Account: records });
  jobs = recordJobs();
});

const start = (choices = {}) => transaction((tx) => startRun(tx, key, configurationSchema.parse(choices)));
const view = () => findMigration(key.organizationId, key.migrationId);
const whole = { status: "completed", lines: { Account: { source: RECORDS, created: RECORDS } } };

test("a run in an org without API requests looks again later, and goes on by itself", async () => {
  source.beforeQuery = (soql) => {
    if (soql.includes("Id > '001")) throw new SalesforceError("source_limit_exceeded", "Used up.", { status: 403 });
  };
  const run = await start();
  await workToTheEnd(run, source);
  const { waiting, status } = await view();
  expect(status).toBe("running");
  expect(Date.parse(waiting?.next_attempt_at ?? "")).toBeGreaterThan(Date.now());
  await wakeDueRuns();
  expect(jobs.asked).toEqual([]);

  await due();
  await wakeDueRuns();
  await wakeDueRuns();
  expect(jobs.asked.filter(({ id }) => id.startsWith(`run-${key.migrationId}-1-`))).toHaveLength(1);
  expect((await view()).waiting).toMatchObject({ for: "api_requests", since: waiting?.since, next_attempt_at: null });
  source.beforeQuery = () => undefined;
  await workToTheEnd(run, source);
  expect(await finishedOf(key)).toMatchObject(whole);
  expect((await view()).waiting).toBeNull();
});

test("a wait for API requests and one for a source that does not answer are two, each with its own time", async () => {
  let fault = { transient: true };
  source.beforeQuery = () => {
    throw new SalesforceError("source_limit_exceeded", "Limited.", fault);
  };
  const run = await start();
  const since: unknown[] = [];
  for (const transient of [true, false, true]) {
    fault = { transient };
    await Promise.allSettled([workToTheEnd(run, source)]);
    const { waiting, status } = await view();
    expect([status, waiting?.for]).toEqual(["running", transient ? "salesforce" : "api_requests"]);
    since.push(waiting?.since);
    await pool().query(`UPDATE migrations SET failure = failure || '{"since": "2026-01-01T00:00:00Z"}' WHERE id = $1`, [
      key.migrationId,
    ]);
  }
  expect(since).not.toContain("2026-01-01T00:00:00Z");
});

/** Lets the time to look again come. */
async function due({ migrationId } = key): Promise<void> {
  await pool().query(`UPDATE migrations SET wakes_at = now() - interval '1 second' WHERE id = $1`, [migrationId]);
}

test.each(["former", "latter"])("where waking one organization fails, the others are woken: the %s", async (which) => {
  const keys = [key, await createMigration(["Account"])];
  for (const each of keys) {
    await transaction((tx) => startRun(tx, each, configurationSchema.parse({})));
    await due(each);
  }
  const [failing, other] = which === "former" ? keys : keys.toReversed();
  await pool().query(`
    CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'in trouble'; END $$;
    CREATE TRIGGER fail BEFORE UPDATE ON migrations FOR EACH ROW
      WHEN (NEW.organization_id = '${failing?.organizationId}') EXECUTE FUNCTION fail()`);
  try {
    await expect(wakeDueRuns()).rejects.toThrow("in trouble");
  } finally {
    await pool().query("DROP TRIGGER fail ON migrations; DROP FUNCTION fail");
  }
  const woken = jobs.asked.map(({ data }) => (data as { migration_id: string }).migration_id);
  expect(woken).toEqual([other?.migrationId]);
  await wakeDueRuns();
  expect(jobs.asked).toHaveLength(2);
});

test("a run leaves the chosen share of the org's API requests to others", async () => {
  source.usage = { used: 899, limit: 1000 };
  source.beforeQuery = (soql) => {
    if (soql.includes("Id > '001")) source.usage = { used: 900, limit: 1000 };
  };
  const run = await start({ api_limit: { percent: 90 } });
  await workToTheEnd(run, source);
  expect(await view()).toMatchObject({
    status: "running",
    waiting: {
      reason: expect.stringContaining("900 of its 1000"),
      since: expect.any(String),
    },
  });
  const { since } = (await view()).waiting ?? {};
  const stored = (await finishedOf(key)).lines.Account?.created ?? 0;
  expect(stored).toBeGreaterThan(0);
  expect(stored).toBeLessThan(RECORDS);

  // The org has none yet: one request finds that out.
  await due();
  const before = source.requests;
  await workToTheEnd(run, source);
  expect(source.requests - before).toBe(1);
  expect((await view()).waiting).toMatchObject({ since, next_attempt_at: expect.any(String) });

  source.usage = { used: 10, limit: 1000 };
  source.beforeQuery = () => undefined;
  await workToTheEnd(run, source);
  expect(await finishedOf(key)).toMatchObject(whole);
});

test("a run sends no more API requests in a day than chosen, and counts them", async () => {
  const run = await start({ api_limit: { requests: 8 } });
  await workToTheEnd(run, source);
  const waiting = await view();
  expect(waiting.waiting?.reason).toContain("8 API requests");
  expect(Date.parse(waiting.waiting?.next_attempt_at ?? "")).toBeGreaterThan(Date.now() + 23 * 3_600_000);
  expect(waiting.api_requests).toBe(source.requests);
  // The page that is read ahead is one more.
  expect(source.requests).toBeLessThanOrEqual(10);

  await pool().query("UPDATE migrations SET api_counted_since = now() - interval '25 hours' WHERE id = $1", [
    key.migrationId,
  ]);
  await workToTheEnd(run, source);
  await pool().query("UPDATE migrations SET api_counted_since = now() - interval '25 hours' WHERE id = $1", [
    key.migrationId,
  ]);
  await workToTheEnd(run, source);
  expect(await finishedOf(key)).toMatchObject(whole);
});

test("what a run that waited becomes, going on or undone, is asked for again where its job was lost", async () => {
  await workToTheEnd(await start({ api_limit: { requests: 8 } }), source);
  const ask = (operation: Operation) => execute(operation, contextOf(key), { migration_id: key.migrationId });
  const askedAgain = async () => {
    jobs.asked.length = 0;
    await reenqueueMigrations();
    return jobs.asked.flatMap(({ id }) => (id.includes(key.migrationId) ? [id.split("-", 1)[0]] : []));
  };
  expect(await askedAgain()).toEqual([]);
  await ask(pauseMigration);
  await ask(resumeMigration);
  expect(await askedAgain()).toEqual(["run"]);
  await pool().query("UPDATE migrations SET wakes_at = now() + interval '1 hour' WHERE id = $1", [key.migrationId]);
  await ask(cancelMigration);
  await ask(undoMigration);
  expect(await askedAgain()).toEqual(["undo"]);
});
