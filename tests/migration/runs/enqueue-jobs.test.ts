import { beforeAll, expect, test } from "vitest";

import { registerSender } from "@/inngest/client";
import { transaction } from "@/lib/database/db";
import { inOrganization } from "@/lib/database/organization-scope";
import { requestJob } from "@/lib/jobs";
import { failLostAnalyses } from "@/lib/migration/analyze-migration";
import { reenqueueMigrations } from "@/lib/migration/enqueue-jobs";
import type { RunKey, MigrationKey } from "@/lib/migration/migration-schema";
import { handOnRun, handOnUndo } from "@/lib/migration/pipeline/take-turns";
import { createMigration, finishedOf } from "@/tests/migration/support/run-migration";
import { startRun } from "@/tests/migration/support/within";
import { pool } from "@/tests/support/owner";

beforeAll(async () => {
  registerSender();
});

interface Asked {
  id: string;
  name: string;
  data: Record<string, unknown>;
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

async function createRunning(age: string): Promise<RunKey> {
  const key = await createMigration();
  const run = await transaction((client) => startRun(client, key));
  await makeOlder(key, age);
  return run;
}

/** The ids of the events that were stored since a sweep before, in their order; they are forgotten. */
async function takeAsked(key: MigrationKey): Promise<string[]> {
  await reenqueueMigrations();
  const { rows } = await pool().query<{ id: string }>(
    `WITH taken AS (
       DELETE FROM job_events WHERE body::jsonb->'data'->>'migration_id' = $1 RETURNING id, position
     ) SELECT id FROM taken ORDER BY position`,
    [key.migrationId],
  );
  return rows.map(({ id }) => id);
}

/** What was asked for, and again once the engine had lost it. */
async function takeTwice(key: MigrationKey): Promise<string[][]> {
  return [await takeAsked(key), await takeAsked(key)];
}

test("a run that was handed on is asked for as its last job, also days after its start", async () => {
  const run = await createRunning("2 days");
  await inOrganization(run.organizationId, () => handOnRun(run, null));
  const [asked, again] = await takeTwice(run);
  expect(asked).toEqual([expect.stringMatching(/^run-.{36}-1-\d+$/)]);
  expect(again).toEqual(asked);
});

test("an undo that was handed on is asked for as its last job, and one that was not, as its first", async () => {
  const key = await createMigration();
  const undo = { ...key, undoNumber: 2 };
  await pool().query(
    `UPDATE migrations SET status = 'undoing', undo_number = 2, undo_started_at = now() - interval '5 hours',
       started_at = now() - interval '9 days', resumed_at = now() - interval '8 days' WHERE id = $1`,
    [key.migrationId],
  );
  expect(await takeAsked(key)).toEqual([`undo-${key.migrationId}-2`]);
  await inOrganization(key.organizationId, () => handOnUndo(undo, null));
  const [asked, again] = await takeTwice(key);
  expect(asked).toEqual([expect.stringMatching(/^undo-.{36}-2-\d+$/)]);
  expect(again).toEqual(asked);
});

test("of two jobs of a run, the later one hands it on, and does so once", async () => {
  const run = await createRunning("1 minute");
  const handOn = (resumedAt: string | null) => inOrganization(run.organizationId, () => handOnRun(run, resumedAt));
  await handOn(null);
  const [first] = await eventsOf(run);
  const resumedAt = String(first?.data.resumed_at);
  await handOn(resumedAt);
  const both = await eventsOf(run);
  expect(both).toHaveLength(2);
  await handOn(resumedAt);
  expect(await eventsOf(run)).toEqual(both);
});

test("a run whose job has not handed on for hours is asked for by another id each hour", async () => {
  const run = await createRunning("5.5 hours");
  const first = `run-${run.migrationId}-1`;
  expect(await takeAsked(run)).toEqual([first]);
  await makeOlder(run, "1 hour");
  expect(await takeTwice(run)).toEqual([[`${first}-6h`], [`${first}-6h`]]);
  await makeOlder(run, "1 hour");
  expect(await takeAsked(run)).toEqual([`${first}-7h`]);
  await makeOlder(run, "16 hours");
  expect(await takeAsked(run)).toEqual([]);
});

test("an analysis that does not end is asked for by other ids after six hours, and anew after a day", async () => {
  const key = await createAnalyzing();
  const first = `analyze-${key.migrationId}`;
  expect(await takeAsked(key)).toEqual([first]);
  await makeOlder(key, "6 hours");
  expect(await takeTwice(key)).toEqual([[`${first}-6h`], [`${first}-6h`]]);
  await makeOlder(key, "16 hours");
  expect(await takeAsked(key)).toEqual([`${first}-22h`]);
  await failLostAnalyses();
  expect((await finishedOf(key)).status).toBe("analyzing");
  await makeOlder(key, "1 hour");
  expect(await takeAsked(key)).toEqual([]);
  await failLostAnalyses();
  const [asked, again] = await takeTwice(key);
  expect(asked).toEqual([expect.stringMatching(/^analyze-.{36}-\d{13}$/)]);
  expect(again).toEqual(asked);
  await failLostAnalyses();
  expect((await finishedOf(key)).status).toBe("analyzing");
  await pool().query("UPDATE migrations SET resumed_at = resumed_at - interval '1 day' WHERE id = $1", [
    key.migrationId,
  ]);
  expect(await takeAsked(key)).toEqual([]);
  await failLostAnalyses();
  expect(await finishedOf(key)).toMatchObject({
    status: "analysis_failed",
    failure: { code: "service_unavailable", detail: expect.stringMatching(/^The job of the analysis was lost/) },
  });
});

test("an analysis whose request waits for the Inngest server is not lost, however long it waits", async () => {
  const key = await createAnalyzing();
  const request = [`analyze-${key.migrationId}`, key.migrationId];
  await pool().query(
    `INSERT INTO job_requests (id, name, data, migration_id, next_attempt_at)
     VALUES ($1, 'migration/analyze.requested', '{}', $2, now())`,
    request,
  );
  await makeOlder(key, "2 days");
  const resumedAt = async () =>
    (await pool().query("SELECT resumed_at FROM migrations WHERE id = $1", [key.migrationId])).rows[0]?.resumed_at;
  await failLostAnalyses();
  expect(await resumedAt()).toBeNull();
  await pool().query("DELETE FROM job_requests WHERE id = $1", [request[0]]);
  await failLostAnalyses();
  expect(await resumedAt()).not.toBeNull();
  expect((await finishedOf(key)).status).toBe("analyzing");
});
