import { setTimeout as delay } from "node:timers/promises";

import { afterEach, beforeAll, expect, test } from "vitest";

import { inngest } from "@/inngest/client";
import { until } from "@/tests/inngest/support/engine-under-test";
import { killWorkerProcesses, startWorkerProcess } from "@/tests/inngest/support/worker-processes";
import { pool } from "@/tests/support/owner";

/** What the product promises about a killed worker. */
const RESUMED_WITHIN_MS = 10_000;

interface Entry {
  entry: string;
  pid: number;
  at: number;
}

async function traceOf(key: string): Promise<Entry[]> {
  const { rows } = await pool().query<Entry>(
    "select entry, pid, extract(epoch from at)::float8 * 1000 as at from crash_trace where key = $1 order by at",
    [key],
  );
  return rows;
}

async function entry(key: string, name: string): Promise<Entry> {
  return until(`"${name}" of ${key}`, async () => (await traceOf(key)).find((row) => row.entry === name));
}

async function runStates(): Promise<Record<string, number>> {
  const { rows } = await pool().query<{ state: string; n: number }>(
    "select state, count(*)::int as n from job_runs group by state",
  );
  return Object.fromEntries(rows.map((row) => [row.state, row.n]));
}

async function emptyQueue(): Promise<void> {
  await until(
    "an empty queue",
    async () => (await pool().query("select 1 from graphile_worker._private_jobs")).rowCount === 0,
  );
}

beforeAll(async () => {
  await pool().query(
    "create table crash_trace (key text not null, entry text not null, pid int not null, at timestamptz not null " +
      "default clock_timestamp())",
  );
});

afterEach(async () => {
  killWorkerProcesses();
  await pool().query("delete from job_runs");
});

test("killed between two steps: the next worker goes on with the second", async () => {
  const first = await startWorkerProcess();
  await inngest.send({ name: "crash/between", data: { key: "between" } });
  await entry("between", "first");
  await until(
    "the sleep to be stored",
    async () => (await pool().query("select 1 from job_runs where cardinality(planned) = 1")).rowCount === 1,
  );
  await first.kill();
  const second = await startWorkerProcess();
  expect((await entry("between", "second")).pid).toBe(second.pid);
  await emptyQueue();
  expect((await traceOf("between")).map((row) => row.entry)).toEqual(["first", "second"]);
});

test("killed inside a step: the next worker repeats that step alone, within ten seconds of its start", async () => {
  const started = Date.now();
  const first = await startWorkerProcess();
  // On a machine where even a first start takes seconds, because others keep it busy, the step's own process may take
  // as much longer.
  const patience = Math.max(RESUMED_WITHIN_MS, 3 * (Date.now() - started));
  await inngest.send({ name: "crash/inside", data: { key: "inside" } });
  await entry("inside", "interrupted");
  await first.kill();
  const second = await startWorkerProcess();
  const ready = Date.now();
  const last = await entry("inside", "last");
  // It may be what the first died of: the second has it carried out by a process of its own.
  expect([first.pid, second.pid]).not.toContain(last.pid);
  expect(last.at - ready).toBeLessThan(patience);
  expect((await traceOf("inside")).map((row) => row.entry)).toEqual(["first", "interrupted", "interrupted", "last"]);
});

test("with two workers the survivor takes over within ten seconds", async () => {
  const started = Date.now();
  const workers = [await startWorkerProcess(), await startWorkerProcess()];
  const patience = Math.max(RESUMED_WITHIN_MS, 3 * (Date.now() - started));
  await inngest.send({ name: "crash/inside", data: { key: "survivor" } });
  const { pid } = await entry("survivor", "interrupted");
  await workers.find((worker) => worker.pid === pid)?.kill();
  const killed = Date.now();
  const last = await entry("survivor", "last");
  expect(last.pid).not.toBe(pid);
  expect(last.at - killed).toBeLessThan(patience);
  expect((await traceOf("survivor")).filter((row) => row.entry === "first")).toHaveLength(1);
});

test("a hundred runs of three steps complete under five random kills; only interrupted steps run twice", async () => {
  await inngest.send(Array.from({ length: 100 }, (_, n) => ({ name: "crash/many", data: { key: `many ${n}` } })));
  for (let kills = 0; kills < 5; kills++) {
    const worker = await startWorkerProcess();
    await delay(Math.random() * 700);
    await worker.kill();
  }
  await startWorkerProcess();
  await until("a hundred completed runs", async () => (await runStates()).completed === 100);
  expect(await runStates()).toEqual({ completed: 100 });
  await emptyQueue();
  const { rows } = await pool().query<{ steps: number; repeated: number }>(
    `select count(*)::int as steps, coalesce(sum(times - 1), 0)::int as repeated
     from (select count(*) as times from crash_trace where key like 'many %' group by key, entry) s`,
  );
  expect(rows[0]?.steps).toBe(300);
  // Sixteen calls at a time, five kills.
  expect(rows[0]?.repeated).toBeLessThanOrEqual(80);
});

test("a stopping worker returns its run after the current step, and no step is repeated", async () => {
  const first = await startWorkerProcess();
  await inngest.send({ name: "crash/steady", data: { key: "steady" } });
  await entry("steady", "step 2");
  const second = await startWorkerProcess();
  const asked = Date.now();
  const ended = first.terminate();
  // However long the second worker took to start, the first is asked in the midst of the run: its fourth step waits for
  // this.
  await pool().query("insert into crash_trace (key, entry, pid) values ('steady: asked to stop', '', 0)");
  expect(await ended).toBe(0);
  expect(Date.now() - asked).toBeLessThan(RESUMED_WITHIN_MS);
  expect((await entry("steady", "step 39")).pid).toBe(second.pid);
  expect((await traceOf("steady")).map((row) => row.entry)).toEqual(Array.from({ length: 40 }, (_, n) => `step ${n}`));
});

test("a stopping worker returns a step that does not end, and exits within ten seconds", async () => {
  const first = await startWorkerProcess();
  await inngest.send({ name: "crash/inside", data: { key: "endless" } });
  await entry("endless", "interrupted");
  const asked = Date.now();
  expect(await first.terminate()).toBe(0);
  expect(Date.now() - asked).toBeLessThan(RESUMED_WITHIN_MS);
  const second = await startWorkerProcess();
  expect((await entry("endless", "last")).pid).toBe(second.pid);
});
