import { setTimeout as delay } from "node:timers/promises";

import { afterEach, expect, test, vi } from "vitest";

import { inngest } from "@/inngest/client";
import { addJob, releaseJobs } from "@/inngest/engine/queue/jobs";
import { holdWorkerLock } from "@/inngest/engine/queue/worker-lock";
import { startWorker } from "@/inngest/worker";
import { pool as ownPool } from "@/lib/database/db";
import { inOrganization } from "@/lib/database/organization-scope";
import { newId } from "@/lib/ids";
import { log } from "@/lib/log";
import { Trace, until } from "@/tests/inngest/support/engine-under-test";
import { pool, transaction } from "@/tests/support/owner";

const trace = new Trace();
let stop: (() => Promise<unknown>) | undefined;
afterEach(async () => {
  await stop?.();
  stop = undefined;
});

async function holderOf(functionId: string): Promise<string> {
  return until(`a worker to hold a job of ${functionId}`, async () => {
    const { rows } = await pool().query<{ locked_by: string }>(
      `select j.locked_by from graphile_worker._private_jobs j join job_runs r on r.id = (j.payload->>'run_id')::uuid
       where r.function_id = $1 and j.locked_by is not null`,
      [functionId],
    );
    return rows[0]?.locked_by;
  });
}

async function lockHolder(): Promise<number | undefined> {
  const { rows } = await pool().query<{ pid: number }>(
    `select pid from pg_locks where locktype = 'advisory' and granted and database = (select oid from pg_database
      where datname = current_database())`,
  );
  return rows[0]?.pid;
}

test("a worker that was thought dead and was not: what it still says about the run has no effect", async () => {
  let calls = 0;
  const contested = inngest.createFunction(
    { id: "contested", triggers: { event: "fence/contested" } },
    async ({ step }) => {
      const winner = await step.run("contested", async () => {
        const call = ++calls;
        trace.add("calls", `start ${call}`);
        if (call === 1) await trace.has("calls", "over");
        return call;
      });
      await step.run("after", () => trace.add("calls", `after ${winner}`));
      return winner;
    },
  );
  const worker = await startWorker({ functions: [contested], lookInterval: 100 });
  stop = () => worker.stop();
  await inngest.send({ name: "fence/contested", data: {} });
  await trace.has("calls", "start 1");
  await releaseJobs(pool(), await holderOf("crm-contested"));
  await until("the second call to complete the run", async () => {
    const { rows } = await pool().query<{ output: string }>("select output from job_runs where state = 'completed'");
    return rows[0]?.output === "2";
  });
  trace.add("calls", "over");
  await worker.stop();
  stop = undefined;
  expect(trace.of("calls")).toEqual(["start 1", "start 2", "after 2", "over"]);
  const { rows } = await pool().query("select value from job_steps order by position");
  expect(rows).toEqual([{ value: '{"data":2}' }, { value: '{"data":null}' }]);
  expect((await pool().query("select 1 from graphile_worker._private_jobs")).rowCount).toBe(0);
});

test("a worker that stops returns its jobs in time, though no connection of its pool is free", async () => {
  const hanging = inngest.createFunction({ id: "hanging", triggers: { event: "fence/hanging" } }, async () => {
    trace.add("hanging", "start");
    await trace.has("hanging", "over");
  });
  const worker = await startWorker({ functions: [hanging], lookInterval: 100 });
  await inngest.send({ name: "fence/hanging", data: {} });
  await trace.has("hanging", "start");
  const { options, totalCount, idleCount } = ownPool();
  const free = options.max - totalCount + idleCount;
  const taken = await Promise.all(Array.from({ length: free }, () => ownPool().connect()));
  // They come before whoever asks later, as the other jobs of a worker do that is short of connections.
  const waiting = Array.from({ length: 10 }, () => ownPool().connect());
  const asked = performance.now();
  expect(await worker.stop(100)).toBe(false);
  expect(performance.now() - asked).toBeLessThan(10_000);
  const { rows } = await pool().query("select locked_by from graphile_worker._private_jobs");
  expect(rows).toEqual([{ locked_by: null }]);
  for (const client of taken) client.release();
  for (const connecting of waiting) (await connecting).release();
  trace.add("hanging", "over");
  await pool().query("delete from graphile_worker._private_jobs");
});

test("a worker that loses its lock's connection takes the lock again", async () => {
  const worker = await startWorker({ functions: [], lookInterval: 100 });
  stop = () => worker.stop();
  const before = await until("the lock", lockHolder);
  await pool().query("select pg_terminate_backend($1)", [before]);
  const after = await until("another session to hold the lock", async () => {
    const holder = await lockHolder();
    return holder !== before && holder;
  });
  expect(after).not.toBe(before);
});

/** Queues a run of the function whose job workers have taken so often already. */
async function queueTaken(name: string, takes: number): Promise<void> {
  await pool().query(
    `with e as (insert into job_events (id, name, body, dispatched_at)
        values ($1, 'fence/' || $1, json_build_object('id', $1, 'name', 'fence/' || $1, 'data', '{}'::json, 'ts', 1),
          now()) returning id),
     r as (insert into job_runs (id, function_id, event_id) select gen_random_uuid(), 'crm-' || $1, id from e
       returning id)
     select graphile_worker.add_job('run-function', json_build_object('run_id', id, 'step', 'step', 'attempt', 0))
       from r`,
    [name],
  );
  await pool().query("update graphile_worker._private_jobs set attempts = $1", [takes]);
}

test("a job that brings down every worker that takes it fails its run in the end", async () => {
  const deadly = inngest.createFunction(
    { id: "deadly", triggers: { event: "fence/deadly" }, onFailure: () => trace.add("deadly", "onFailure") },
    () => trace.add("deadly", "called"),
  );
  await queueTaken("deadly", 20);
  const worker = await startWorker({ functions: [deadly], lookInterval: 100 });
  stop = () => worker.stop();
  await trace.has("deadly", "onFailure");
  expect(trace.of("deadly")).toEqual(["onFailure"]);
});

test("a long run outlives any number of workers as long as it makes progress with some of them", async () => {
  let calls = 0;
  const enduring = inngest.createFunction(
    { id: "enduring", triggers: { event: "fence/enduring" } },
    async ({ step }) => {
      await step.run("progress", () => trace.add("enduring", "progress"));
      await step.run("end", async () => {
        const call = ++calls;
        trace.add("enduring", `call ${call}`);
        if (call < 4) await trace.has("enduring", "over");
        return call;
      });
    },
  );
  await queueTaken("enduring", 18);
  const worker = await startWorker({ functions: [enduring], lookInterval: 100 });
  stop = () => worker.stop();
  for (const call of [1, 2, 3]) {
    await trace.has("enduring", `call ${call}`);
    await releaseJobs(pool(), await holderOf("crm-enduring"));
  }
  await until("the fourth call to complete the run", async () => {
    const { rows } = await pool().query(
      "select from job_runs where function_id = 'crm-enduring' and state = 'completed'",
    );
    return rows.length === 1;
  });
  trace.add("enduring", "over");
  expect(trace.of("enduring")).toEqual(["progress", "call 1", "call 2", "call 3", "call 4", "over"]);
});

test("jobs of a live worker are left alone while others look for dead workers again and again", async () => {
  const slow = inngest.createFunction({ id: "slow", triggers: { event: "fence/slow" } }, async ({ step }) => {
    await step.run("slow", async () => {
      trace.add("slow", "start");
      await delay(4000);
    });
    trace.add("slow", "end");
  });
  const workers = [
    await startWorker({ functions: [slow], lookInterval: 100 }),
    await startWorker({ functions: [slow], lookInterval: 100 }),
  ];
  stop = () => Promise.all(workers.map((worker) => worker.stop()));
  await inngest.send({ name: "fence/slow", data: {} });
  await trace.has("slow", "end");
  expect(trace.of("slow")).toEqual(["start", "end"]);
});

/** Adds a job that a worker without its lock holds, and returns how to find out who holds it now. */
async function addHeldJob(holder: string): Promise<() => Promise<string | null | undefined>> {
  const runId = newId();
  await transaction(async (client) => {
    await addJob(client, "wake-run", { run_id: runId, step: "none" });
    await client.query(
      "update graphile_worker._private_jobs set locked_by = $2, locked_at = now() where payload->>'run_id' = $1",
      [runId, holder],
    );
  });
  return async () => {
    const { rows } = await pool().query<{ locked_by: string | null }>(
      "select locked_by from graphile_worker._private_jobs where payload->>'run_id' = $1",
      [runId],
    );
    return rows[0]?.locked_by;
  };
}

test("who has lost its lock releases what others hold that lost theirs with it, and counts no death", async () => {
  const worker = await startWorker({ functions: [], lookInterval: 100 });
  stop = () => worker.stop();
  const warned = vi.spyOn(log, "warn");
  const lost = await until("the lock", lockHolder);
  await pool().query("select pg_terminate_backend($1)", [lost]);
  await until("the lock again", async () => ![undefined, lost].includes(await lockHolder()));
  const holder = await addHeldJob("another worker");
  await until("the end of the job", async () => (await holder()) === undefined);
  expect(warned).toHaveBeenCalledWith(
    expect.objectContaining({ released: ["another worker"] }),
    "released the jobs of workers whose connection ended with this one's",
  );
});

test(
  "a lock that is taken within somebody's scope is held; it could not be taken before, however often it was tried",
  { timeout: 20_000 },
  async () => {
    const lock = await inOrganization(newId(), () => holdWorkerLock("in a scope"));
    expect(await until("the lock", lockHolder)).toBeDefined();
    lock.release();
  },
);
