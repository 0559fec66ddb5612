import { type ChildProcess, spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";

import type { RunningOrg } from "@/sandbox-org/start";
import { WORKER_ARGS } from "@/scripts/service/worker-process";
import { loadFloor } from "@/tests/benchmarks/load-floor";
import type { Measurement } from "@/tests/benchmarks/measurement";
import { parentOf, processorTime } from "@/tests/benchmarks/processor-time";
import { withService } from "@/tests/benchmarks/temporary-database";

/** `BENCH_RECORDS=1000000 npm run bench -- import` for another size. */
const RECORDS = Number(process.env.BENCH_RECORDS ?? 100_000);

/** A folder for a profile of the worker, if it is set. */
const PROFILES = process.env.BENCH_PROFILES;

const SAMPLE_MS = 100;

interface Import {
  seconds: number;
  /** Seconds for the first tenth of the records, without the start of the run, and for the last one. */
  tenths: [number, number];
}

/** A process's peak memory in megabytes (VmHWM of /proc, Linux). */
async function peakMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

async function startWorker(): Promise<ChildProcess> {
  const profile = PROFILES ? ["--cpu-prof", `--cpu-prof-dir=${PROFILES}`] : [];
  const worker = spawn(process.execPath, [...profile, ...WORKER_ARGS], { stdio: ["ignore", "ignore", "inherit"] });
  await delay(3000);
  return worker;
}

/** The processes whose time an import takes: the org, the worker, and the database server with its connections. */
async function processesOf(org: RunningOrg, worker: ChildProcess): Promise<Record<string, number>> {
  const { pool } = await import("@/tests/support/owner");
  const { rows } = await pool().query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  return { org: org.pid, worker: worker.pid ?? 0, database: await parentOf(rows[0]?.pid ?? 0) };
}

/** Runs a migration in the worker to its end. */
async function runToTheEnd(key: { organizationId: string; migrationId: string }): Promise<Import> {
  const { transaction } = await import("@/lib/database/db");
  const { inOrganization } = await import("@/lib/database/organization-scope");
  const { requestJob } = await import("@/lib/jobs");
  const { startRun } = await import("@/lib/migration/start-migration");
  const { finishedOf } = await import("@/tests/migration/support/run-migration");
  const { organizationId, migrationId } = key;
  const started = performance.now();
  const { runNumber } = await inOrganization(organizationId, () => transaction((tx) => startRun(tx, key)));
  const data = { organization_id: organizationId, migration_id: migrationId, run_number: runNumber };
  await requestJob("migration/run.requested", data, `${migrationId}/${runNumber}`);
  const samples: { seconds: number; done: number }[] = [];
  for (;;) {
    const { status, lines, failure } = await finishedOf(key);
    const seconds = (performance.now() - started) / 1000;
    const done = Object.values(lines).reduce((sum, line) => sum + line.created + line.updated + line.unchanged, 0);
    samples.push({ seconds, done });
    if (status.startsWith("completed")) return { seconds, tenths: tenthsOf(samples) };
    if (status !== "running") throw new Error(`Run ${runNumber} ended as ${status}: ${JSON.stringify(failure)}`);
    await delay(SAMPLE_MS);
  }
}

function tenthsOf(samples: readonly { seconds: number; done: number }[]): [number, number] {
  const all = samples.at(-1)?.done ?? 0;
  const secondsAt = (done: number) => samples.find((sample) => sample.done >= done)?.seconds ?? Number.NaN;
  return [secondsAt(all / 10) - secondsAt(1), secondsAt(all) - secondsAt(all * 0.9)];
}

/**
 * Import of the sandbox org, twice: into an empty organization, and again with nothing changed. The floor is the load
 * statement alone, measured on the same server before and after.
 */
export async function run(): Promise<Measurement[]> {
  return withService(async ({ startOrg }) => {
    const { registerSender } = await import("@/inngest/client");
    const { createMigration } = await import("@/tests/migration/support/run-migration");
    registerSender();
    const before = await loadFloor();
    const org = await startOrg(RECORDS);
    const worker = await startWorker();
    const processes = await processesOf(org, worker);
    const times = () => Promise.all(Object.values(processes).map(processorTime));
    const key = await createMigration(undefined, org);
    const used = await times();
    const first = await runToTheEnd(key);
    const perRecord = (await times()).map((time, index) => ((time - (used[index] ?? 0)) / RECORDS) * 1e6);
    const again = await runToTheEnd(key);
    const megabytes = await peakMemory(worker.pid ?? 0);
    worker.kill("SIGTERM");
    await once(worker, "exit");
    const floor = (before + (await loadFloor())) / 2;
    const speed = RECORDS / first.seconds;
    return [
      { name: "records", value: RECORDS, unit: "" },
      { name: "import", value: Math.round(speed), unit: "records/s" },
      { name: "floor: load statement alone", value: Math.round(floor), unit: "rows/s" },
      { name: "import / floor", value: Number((speed / floor).toFixed(3)), unit: "" },
      { name: "last tenth / first tenth, speed", value: ratio(first.tenths[0], first.tenths[1]), unit: "" },
      { name: "again with nothing changed / import, speed", value: ratio(first.seconds, again.seconds), unit: "" },
      ...Object.keys(processes).map((name, index) => ({
        name: `processor time of ${name}`,
        value: Math.round(perRecord[index] ?? 0),
        unit: "µs per record",
      })),
      { name: "worker, peak memory", value: Math.round(megabytes), unit: "MB" },
    ];
  });
}

function ratio(one: number, other: number): number {
  return Number((one / other).toFixed(2));
}

if (import.meta.main) {
  for (const { name, value, unit } of await run()) console.log(`${name}: ${value} ${unit}`.trim());
}
