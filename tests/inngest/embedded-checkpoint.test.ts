import { randomUUID } from "node:crypto";

import { expect, onTestFinished, test } from "vitest";

import { acceptCheckpoint } from "@/inngest/engine/fetch";
import type { FunctionDefinition } from "@/inngest/engine/function-definition";
import { finishJob } from "@/inngest/engine/queue/jobs";
import { type HeldJob, heldJobKey, whileHolding } from "@/inngest/engine/run";
import { type Engine, runFunction } from "@/inngest/engine/run-function";
import { transaction } from "@/lib/database/db";
import { registerMetrics } from "@/lib/observability/instruments";
import { openMetrics } from "@/lib/observability/open-metrics";
import { pool } from "@/tests/support/owner";

/** A run whose job this process holds, by default while its worker is asked to stop. */
async function holdJob({ takes = 1, heldMs = 0, stopping = AbortSignal.abort() } = {}): Promise<HeldJob> {
  const runId = randomUUID();
  const event = { id: runId, name: "checkpoint/asked", data: {}, ts: 1 };
  await pool().query("insert into job_events (id, name, body, dispatched_at) values ($1, $2, $3, now())", [
    event.id,
    event.name,
    event,
  ]);
  await pool().query(
    "insert into job_runs (id, function_id, event_id, state) values ($1::uuid, 'crm-checkpoint', $1::text, 'running')",
    [runId],
  );
  const request = { run_id: runId, step: "step", attempt: 0 };
  const { rows } = await pool().query<{ id: string }>("select (graphile_worker.add_job('run-function', $1)).id", [
    request,
  ]);
  const id = String(rows[0]?.id);
  await pool().query(
    "update graphile_worker._private_jobs set locked_by = 'holder', locked_at = now(), attempts = $2 where id = $1",
    [id, takes],
  );
  return {
    id,
    holder: "holder",
    takes,
    takesLeft: 25 - takes,
    queue: null,
    takenAt: performance.now() - heldMs,
    functionId: "crm-checkpoint",
    request,
    steps: 0,
    bytes: 0,
    stopping,
    isSuspect: false,
  };
}

function checkpoint(job: HeldJob): Promise<Response> {
  const steps = [{ id: "a".repeat(40), op: "StepRun", name: "a", data: 1 }];
  const body = JSON.stringify({ qi_id: heldJobKey(job), steps });
  return acceptCheckpoint(new Request("http://embedded.invalid/", { method: "POST", body }));
}

test("a run counts as handed over, and its steps as stored, only when that is committed", async () => {
  const job = await holdJob();
  await pool().query(`
    create function refuse() returns trigger language plpgsql as $$ begin raise 'not committed'; end $$;
    create constraint trigger refuse_at_commit after insert on job_steps deferrable initially deferred
      for each row execute function refuse()`);
  await whileHolding(job, async () => {
    await expect(checkpoint(job)).rejects.toThrow("not committed");
    expect(job).toMatchObject({ steps: 0, bytes: 0 });
    expect(job.endedAs).toBeUndefined();
    await pool().query("drop trigger refuse_at_commit on job_steps");
    expect((await checkpoint(job)).status).toBe(409);
    expect(job).toMatchObject({ endedAs: "continue", steps: 1 });
  });
});

test("a take of a job that its own worker has taken again stores nothing", async () => {
  const job = await holdJob();
  await pool().query("update graphile_worker._private_jobs set attempts = attempts + 1 where id = $1", [job.id]);
  await whileHolding(job, async () => {
    expect((await checkpoint(job)).status).toBe(409);
    expect(job.steps).toBe(0);
    expect(job.endedAs).toBeUndefined();
    await expect(transaction((db) => finishJob(db, job))).rejects.toThrow("has ended");
  });
  const again = { ...job, takes: 2 };
  await whileHolding(again, async () => void (await checkpoint(again)));
  expect(again).toMatchObject({ endedAs: "continue", steps: 1 });
});

test("a run that gets further leaves a job that was taken too often to a new one, which nothing puts off", async () => {
  const { signal: stopping } = new AbortController();
  const fresh = await holdJob({ takes: 3, stopping });
  await whileHolding(fresh, async () => expect((await checkpoint(fresh)).status).toBe(200));
  const worn = await holdJob({ takes: 4, stopping });
  await whileHolding(worn, async () => expect((await checkpoint(worn)).status).toBe(409));
  expect(worn.endedAs).toBe("continue");
  const { rows } = await pool().query<{ attempts: number }>(
    "select attempts from graphile_worker._private_jobs where payload ->> 'run_id' = $1",
    [worn.request.run_id],
  );
  expect(rows).toEqual([{ attempts: 0 }]);
});

test("a run that has held its job for an hour goes on with a new one, before graphile-worker frees it", async () => {
  const { signal: stopping } = new AbortController();
  const young = await holdJob({ heldMs: 59 * 60_000, stopping });
  await whileHolding(young, async () => expect((await checkpoint(young)).status).toBe(200));
  const old = await holdJob({ heldMs: 60 * 60_000, stopping });
  await whileHolding(old, async () => expect((await checkpoint(old)).status).toBe(409));
  expect(old).toMatchObject({ endedAs: "continue", steps: 1 });
});

/** Runs the held job once, by a function that ends as the SDK ends one whose checkpoint was answered with 409. */
async function runHeld(job: HeldJob, before: () => Promise<unknown> = async () => undefined): Promise<void> {
  const definition = { maxAttempts: 1 } as FunctionDefinition;
  const engine: Engine = {
    definitions: new Map([["crm-checkpoint", definition]]),
    invoke: async (held) => {
      await before();
      await checkpoint(held);
      const headers = { "x-inngest-no-retry": "true" };
      return Response.json({ message: "The dispatch is stale." }, { status: 400, headers });
    },
    backoff: () => 0,
    stopping: job.stopping,
  };
  await runFunction(engine, job, job.request);
}

test.each([
  ["goes on in another job", "running", "continue"],
  ["was cancelled meanwhile", "cancelled", "cancelled"],
])("a call whose run %s counts as no failure", async (_, state, outcome) => {
  const { registry } = await openMetrics();
  onTestFinished(() => registerMetrics(undefined));
  const job = await holdJob();
  await runHeld(job, () => pool().query("update job_runs set state = $2 where id = $1", [job.request.run_id, state]));
  const counts = (await registry.metrics()).match(/^crm_job_call_duration_seconds_count.*$/gm);
  expect(counts).toEqual([`crm_job_call_duration_seconds_count{function="crm-checkpoint",outcome="${outcome}"} 1`]);
});

test("a job that this process has run for hours, until it was given away, is not run a second time", async () => {
  const job = await holdJob({ heldMs: 4 * 3_600_000 });
  await whileHolding(job, async () => {
    await expect(runHeld({ ...job, takes: 2 })).rejects.toThrow("still runs");
    expect(job).toMatchObject({ steps: 0 });
  });
});
