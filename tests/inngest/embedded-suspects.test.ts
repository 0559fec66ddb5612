import { afterEach, beforeAll, expect, test } from "vitest";

import { inngest } from "@/inngest/client";
import { type Supervised, supervise } from "@/scripts/service/supervisor/supervise";
import { until } from "@/tests/inngest/support/engine-under-test";
import { compiledProgram } from "@/tests/support/compiled-programs";
import { pool } from "@/tests/support/owner";

/** Little, so that it is soon used up. */
const ARGS = ["--max-old-space-size=120", compiledProgram("crash-worker")];

let workers: Supervised | undefined;
/** What the supervisor said: a line for each worker that ended by itself. */
let ended: string[] = [];

beforeAll(async () => {
  await pool().query(
    "create table crash_trace (key text not null, entry text not null, pid int not null, at timestamptz not null " +
      "default clock_timestamp())",
  );
});
afterEach(async () => {
  await workers?.stop();
  ended = [];
});

/** Starts a worker, and the next one whenever it ends, as the service does. */
function startWorkers(): Supervised {
  const env = { ...process.env, LOG_LEVEL: "silent" };
  workers = supervise({ name: "worker", args: ARGS, cwd: process.cwd(), env, print: (line) => void ended.push(line) });
  return workers;
}

async function traceOf(key: string): Promise<{ entry: string; pid: number }[]> {
  return (
    await pool().query<{ entry: string; pid: number }>(
      "select entry, pid from crash_trace where key = $1 order by at",
      [key],
    )
  ).rows;
}

async function entriesOf(key: string): Promise<string[]> {
  return (await traceOf(key)).map(({ entry }) => entry);
}

function say(key: string): Promise<unknown> {
  return pool().query("insert into crash_trace (key, entry, pid) values ($1, '', 0)", [key]);
}

async function has(key: string, entry: string): Promise<void> {
  await until(`"${entry}" of ${key}`, async () => (await entriesOf(key)).includes(entry));
}

test.each(["abort", "exhaust"])(
  "a job that kills its process (%s) fails after two deaths, and the jobs beside it complete",
  async (how) => {
    const neighbours = Array.from({ length: 3 }, (_, n) => `${how}: neighbour ${n}`);
    startWorkers();
    await inngest.send({ name: "crash/deadly", data: { key: how, how } });
    await inngest.send(neighbours.map((key) => ({ name: "crash/neighbour", data: { key, until: `${how}: over` } })));
    for (const key of neighbours) await has(key, "begin");
    await say(`${how}: now`);
    await has(how, "failed: WorkerDied");
    await say(`${how}: over`);
    for (const key of neighbours) await has(key, "end");
    expect((await entriesOf(how)).filter((entry) => entry === "die")).toHaveLength(2);
    // The second time it was alone: nobody else was ended by it.
    expect(ended).toHaveLength(1);
    const deaths = (await traceOf(how)).filter(({ entry }) => entry === "die").map(({ pid }) => pid);
    expect(deaths).not.toContain(workers?.pid());
    expect(new Set(deaths).size).toBe(2);
  },
);

test("a job that is running whenever its worker is killed is not blamed for it", async () => {
  startWorkers();
  await inngest.send({ name: "crash/neighbour", data: { key: "patient", until: "patient: over" } });
  await has("patient", "begin");
  let killed: string | undefined;
  for (let kills = 1; kills <= 4; kills += 1) {
    const holder = await until("the job in another worker's hand", async () => {
      const found = await holderOf("crm-neighbour");
      return found !== killed && (kills === 1 || (await isAlone())) && found;
    });
    const pid = workers?.pid();
    if (pid === undefined) throw new Error("There is no worker to kill.");
    process.kill(pid, "SIGKILL");
    killed = holder;
  }
  await say("patient: over");
  await has("patient", "end");
  expect(await deathsOf("crm-neighbour")).toMatchObject({ in_vain: 0 });
});

async function holderOf(functionId: string): Promise<string | undefined> {
  const { rows } = await pool().query<{ locked_by: string }>(
    `select j.locked_by from graphile_worker._private_jobs j join job_runs r on r.id = (j.payload->>'run_id')::uuid
     where r.function_id = $1 and j.locked_by is not null`,
    [functionId],
  );
  return rows[0]?.locked_by;
}

async function isAlone(): Promise<boolean> {
  return (await pool().query("select 1 from job_runs where alone and state = 'running'")).rowCount === 1;
}

async function deathsOf(functionId: string): Promise<{ deaths: number; in_vain: number }> {
  const { rows } = await pool().query<{ deaths: number; in_vain: number }>(
    "select deaths, in_vain from job_runs where function_id = $1 order by created_at desc limit 1",
    [functionId],
  );
  return rows[0] ?? { deaths: 0, in_vain: 0 };
}

test("a run that makes progress between deaths goes on, isolated in the end, and kills no more workers", async () => {
  startWorkers();
  await inngest.send({ name: "crash/stumbling", data: { key: "stumbling" } });
  await until(
    "its end",
    async () =>
      (await pool().query("select 1 from job_runs where function_id = 'crm-stumbling' and state = 'completed'"))
        .rowCount === 1,
  );
  expect(await entriesOf("stumbling")).toEqual([
    "step 0",
    "step 0",
    "step 1",
    "step 1",
    "step 2",
    "step 2",
    "step 3",
    "step 3",
  ]);
  expect(await deathsOf("crm-stumbling")).toMatchObject({ deaths: 4, in_vain: 0 });
  expect(ended.length).toBeLessThan(4);
});

test("a worker that is stopped leaves nothing that counts as a death", async () => {
  startWorkers();
  await inngest.send({ name: "crash/neighbour", data: { key: "deployed", until: "deployed: over" } });
  await has("deployed", "begin");
  await workers?.stop();
  startWorkers();
  await say("deployed: over");
  await has("deployed", "end");
  expect(await deathsOf("crm-neighbour")).toEqual({ deaths: 0, in_vain: 0 });
});

async function staysOf(key: string): Promise<number> {
  return (await entriesOf(key)).filter((entry) => entry === "stay").length;
}

test("nor does it blame a job that has a process of its own", async () => {
  startWorkers();
  await inngest.send({ name: "crash/neighbour", data: { key: "alone", until: "alone: over" } });
  await has("alone", "stay");
  process.kill(workers?.pid() ?? 0, "SIGKILL");
  await until("the job in a process of its own", async () => (await staysOf("alone")) === 2);
  const before = await deathsOf("crm-neighbour");
  await workers?.stop();
  expect(await deathsOf("crm-neighbour")).toEqual(before);
  startWorkers();
  await say("alone: over");
  await has("alone", "end");
});
