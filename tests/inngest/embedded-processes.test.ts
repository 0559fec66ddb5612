import { existsSync } from "node:fs";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, expect, test, vi } from "vitest";

import { inngest } from "@/inngest/client";
import { clearDeaths, runIsolated } from "@/inngest/engine/isolate";
import { releaseDeadWorkers } from "@/inngest/engine/queue/dead-workers";
import { addJob, type RunRequest, type TakenJob } from "@/inngest/engine/queue/jobs";
import { loadRun } from "@/inngest/engine/run";
import { type Engine, type Invoke, runFunction } from "@/inngest/engine/run-function";
import { forkJob } from "@/inngest/job-process";
import { startWorker } from "@/inngest/worker";
import { newId } from "@/lib/ids";
import { countStoredBytes } from "@/lib/storage-quota";
import { until } from "@/tests/inngest/support/engine-under-test";
import { compiledProgram } from "@/tests/support/compiled-programs";
import { createContext } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";
import { startTraceCollector } from "@/tests/support/trace-collector";

const { argv, execArgv, execPath } = process;
const stopping = new AbortController();
afterEach(() => Object.assign(process, { argv, execArgv, execPath }));

/** Has job processes carry out this file, as they do the worker's command. */
function beginWith(file: string): void {
  process.argv = [execPath, file];
  process.execArgv = [];
}

interface HeldRun {
  id: string;
  job: TakenJob;
  request: RunRequest;
}

/** A run over which a worker has died, and its job, taken up again by one that holds no lock. */
async function suspectRun(event: { name: string; data: unknown }): Promise<HeldRun> {
  const [id, holder] = [newId(), `worker-${newId()}`];
  const body = JSON.stringify({ id, ts: Date.now(), ...event });
  const functionId = `crm-${event.name.replace("crash/", "")}`;
  await pool().query("insert into job_events (id, name, body, dispatched_at) values ($1, $2, $3, now())", [
    id,
    event.name,
    body,
  ]);
  await pool().query("insert into job_runs (id, function_id, event_id, deaths, in_vain) values ($1, $2, $3, 1, 1)", [
    id,
    functionId,
    id,
  ]);
  const request: RunRequest = { run_id: id, step: "step", attempt: 0 };
  await addJob(pool(), "run-function", request);
  return { id, job: await hold(id, holder), request };
}

async function hold(runId: string, holder: string): Promise<TakenJob> {
  const { rows } = await pool().query<{ id: string }>(
    `update graphile_worker._private_jobs set locked_by = $2, locked_at = now(), attempts = 1
      where payload->>'run_id' = $1
      returning id`,
    [runId, holder],
  );
  return { id: rows[0]?.id ?? "", holder, takes: 1, takesLeft: 24 };
}

async function deathsOf({ id }: HeldRun): Promise<number | undefined> {
  return (await pool().query<{ deaths: number }>("select deaths from job_runs where id = $1", [id])).rows[0]?.deaths;
}

async function storedBy(organizationId: string): Promise<number> {
  const { rows } = await pool().query<{ bytes: string }>(
    "select storage_bytes as bytes from organizations where id = $1",
    [organizationId],
  );
  return Number(rows[0]?.bytes);
}

async function taken({ id }: HeldRun) {
  const run = await loadRun(id);
  if (!run) throw new Error("There is no such run.");
  return run;
}

test("a worker that is stopped writes its counts of stored bytes before it ends", async () => {
  const { organizationId } = await createContext();
  const storing = inngest.createFunction({ id: "in-worker", triggers: { event: "processes/in-worker" } }, () =>
    countStoredBytes(organizationId, 1000),
  );
  const worker = await startWorker({ functions: [storing], lookInterval: 100 });
  await inngest.send({ name: "processes/in-worker", data: {} });
  await until(
    "its end",
    async () => (await pool().query("select from job_runs where state = 'completed'")).rowCount === 1,
  );
  await worker.stop();
  expect(await storedBy(organizationId)).toBe(1000);
});

test("a job in a separate process yields after its step, and what it stored and traced is told by then", async () => {
  const collector = await startTraceCollector();
  vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url);
  const { organizationId } = await createContext();
  const run = await suspectRun({ name: "crash/storing", data: { organizationId } });
  beginWith(compiledProgram("crash-worker"));
  const givingWay = new AbortController();
  const ended = forkJob(stopping.signal)(run.job, run.request, givingWay.signal);
  givingWay.abort();
  expect(await ended).toBe("ended");
  collector.stop();
  expect(collector.received.join()).toContain('"name":"job crm-storing"');
  expect(await storedBy(organizationId)).toBe(1000);
  expect((await pool().query("select from job_steps where run_id = $1", [run.id])).rowCount).toBe(1);
  const { rows } = await pool().query(
    "select locked_by from graphile_worker._private_jobs where payload->>'run_id' = $1",
    [run.id],
  );
  expect(rows).toEqual([{ locked_by: null }]);
});

const JOB = {
  job: { id: "0", holder: "worker", takes: 1, takesLeft: 24 },
  request: { run_id: newId(), step: "step", attempt: 0 },
};
const { signal: goesOn } = new AbortController();

test("a job process that cannot start fails its own job and no other", async () => {
  process.execPath = "/there/is/no/node";
  await expect(forkJob(stopping.signal)(JOB.job, JOB.request, goesOn)).rejects.toThrow("ENOENT");
});

test("a job process that cannot go on with its job says that it had started it", async () => {
  const file = join(await mkdtemp(join(tmpdir(), "crm-")), "giving-up.cjs");
  await writeFile(file, `process.on("message", () => process.send("started", () => process.exit(75)));`);
  beginWith(file);
  const failing = forkJob(stopping.signal)(JOB.job, JOB.request, goesOn);
  await expect(failing).rejects.toThrow("ended after it started the job (code 75)");
});

/**
 * Carries out one job and ends, but what it has started keeps its channel open. Writes its id and that of what it has
 * started.
 */
const LINGERING = `
  process.on("message", () => {
    process.send("started");
    const { pid } = require("node:child_process").spawn("sleep", ["60"], { stdio: ["ignore", "ignore", "ignore", 3] });
    require("node:fs").writeFileSync(__filename + ".pids", process.pid + " " + pid);
    process.send("ended", () => process.exit(0));
  });`;

test("no job is assigned to a process that has ended, although its channel is open", { timeout: 20_000 }, async () => {
  const file = join(await mkdtemp(join(tmpdir(), "crm-")), "lingering.cjs");
  await writeFile(file, LINGERING);
  beginWith(file);
  const fork = forkJob(stopping.signal);
  for (let jobs = 0; jobs < 2; jobs += 1) {
    expect(await fork(JOB.job, JOB.request, goesOn)).toBe("ended");
    const [child = 0, started = 0] = (await readFile(`${file}.pids`, "utf8")).split(" ").map(Number);
    await until("the end of the process", () => !isThere(child));
    if (jobs === 1) process.kill(started);
  }
});

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Writes its id, says that it has begun, and never again looks at a signal or at its channel. */
const BLOCKED = `
  process.on("SIGTERM", () => undefined);
  process.on("message", () => process.send("started", () => {
    require("node:fs").writeFileSync(__filename + ".pid", String(process.pid));
    for (;;);
  }));`;

test("a job that blocks the event loop of its process ends with the worker", async () => {
  const file = join(await mkdtemp(join(tmpdir(), "crm-")), "blocked.cjs");
  await writeFile(file, BLOCKED);
  beginWith(file);
  const before = process.listeners("exit");
  const workerStops = new AbortController();
  const ended = forkJob(workerStops.signal)(JOB.job, JOB.request, goesOn);
  await until("the start of the job", () => existsSync(`${file}.pid`));
  workerStops.abort();
  const atExit = process.listeners("exit").filter((listener) => !before.includes(listener));
  try {
    expect(atExit).toHaveLength(1);
    for (const end of atExit) end(0);
    expect(await ended).toBe("died");
    expect(process.listeners("exit")).not.toContain(atExit[0]);
  } finally {
    const pid = Number(await readFile(`${file}.pid`, "utf8"));
    if (isThere(pid)) process.kill(pid, "SIGKILL");
  }
});

test("progress clears a worker's death from an isolated run, and not from a run in a shared worker", async () => {
  const run = await suspectRun({ name: "crash/charged", data: {} });
  await pool().query("update job_runs set alone = true, state = 'running' where id = $1", [run.id]);
  await clearDeaths(pool(), run.id);
  expect(await releaseDeadWorkers("this worker", true)).toEqual([run.job.holder]);
  expect(await deathsOf(run)).toBe(1);
  await hold(run.id, run.job.holder);
  expect(await loadRun(run.id)).toMatchObject({ isSuspect: false });
  await releaseDeadWorkers("this worker", true);
  expect(await deathsOf(run)).toBe(2);
  await hold(run.id, run.job.holder);
  expect(await releaseDeadWorkers("this worker", false)).toEqual([run.job.holder]);
  expect(await deathsOf(run)).toBe(2);
});

test("at most four job processes run at once, and the oldest one yields to the next", async () => {
  const ends: (() => void)[] = [];
  const asked: AbortSignal[] = [];
  const fork = (_job: TakenJob, _request: RunRequest, givingWay: AbortSignal) => {
    asked.push(givingWay);
    return new Promise<"ended">((resolve) => ends.push(() => resolve("ended")));
  };
  const begin = async () => {
    const run = await suspectRun({ name: "crash/patient", data: {} });
    return { run, ended: runIsolated(fork, run.job, await taken(run), run.request) };
  };
  const four = await Promise.all(Array.from({ length: 4 }, begin));
  await until("four processes", () => asked.length === 4);
  const fifth = await begin();
  await fifth.ended;
  expect(asked.map(({ aborted }) => aborted)).toEqual([true, false, false, false]);
  const { rows } = await pool().query(
    "select locked_by from graphile_worker._private_jobs where payload->>'run_id' = $1",
    [fifth.run.id],
  );
  expect(rows).toEqual([{ locked_by: null }]);
  for (const end of ends) end();
  await Promise.all(four.map(({ ended }) => ended));
});

test("a job whose separate process still runs is put off when it is taken again, and gets no second one", async () => {
  const run = await suspectRun({ name: "crash/hanging", data: {} });
  const ends: (() => void)[] = [];
  const fork = () => new Promise<"ended">((resolve) => ends.push(() => resolve("ended")));
  const engine: Engine = {
    definitions: new Map(),
    invoke: vi.fn<Invoke>(),
    backoff: () => 0,
    stopping: stopping.signal,
    fork,
  };
  const first = runFunction(engine, run.job, run.request);
  await until("the process", () => ends.length === 1);
  const again = { ...run.job, takes: 2, takesLeft: 23 };
  await expect(runFunction(engine, again, run.request)).rejects.toThrow("still runs");
  // Once the run has made progress, it would go on in this process.
  await clearDeaths(pool(), run.id);
  await expect(runFunction(engine, again, run.request)).rejects.toThrow("still runs");
  expect(ends).toHaveLength(1);
  for (const end of ends) end();
  await first;
});
