import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";

import type { MigrationKey } from "@/lib/migration/migration-schema";
import type { Change } from "@/sandbox-org/control/mutate";
import type { RunningOrg } from "@/sandbox-org/start";
import { WORKER_ARGS } from "@/scripts/service/supervisor/process-args";
import { loadFloor } from "@/tests/benchmarks/load-floor";
import { compare, type Measurement } from "@/tests/benchmarks/measurement";
import { memoryOf } from "@/tests/benchmarks/process-memory";
import { parentOf, processorTime } from "@/tests/benchmarks/processor-time";
import { withService } from "@/tests/benchmarks/temporary-database";

/** A folder for a profile of the worker, if it is set. */
const PROFILES = process.env.BENCH_PROFILES;

const SAMPLE_MS = 100;

interface Import {
  seconds: number;
  /** Seconds for the first tenth of the records, without the start of the run, and for the last one. */
  tenths: [number, number];
  /** The speed of the last tenth of an object's records, in proportion to its first tenth. */
  steadiness: Record<string, number>;
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

/** Runs a migration in the worker to its end: all of it, or a delta. */
async function runToTheEnd(key: MigrationKey, kind: "full" | "delta" = "full"): Promise<Import> {
  const { finishedOf } = await import("@/tests/migration/support/run-migration");
  const { requestRun } = await import("@/tests/benchmarks/request-run");
  const started = performance.now();
  const runNumber = await requestRun(key, kind);
  const samples: Sample[] = [];
  for (;;) {
    const { status, lines, failure } = await finishedOf(key);
    const seconds = (performance.now() - started) / 1000;
    const stored = Object.values(lines).map((line) => [line.object, line.created + line.updated + line.unchanged]);
    samples.push({ seconds, stored: Object.fromEntries(stored) as Sample["stored"] });
    if (status.startsWith("completed"))
      return { seconds, tenths: tenthsOf(samples), steadiness: steadinessOf(samples, Object.keys(lines)) };
    if (status !== "running") throw new Error(`Run ${runNumber} ended as ${status}: ${JSON.stringify(failure)}`);
    await delay(SAMPLE_MS);
  }
}

/** Source object → its records here, and a field to change. */
const CHANGED = { Account: ["accounts", "Description"], Contact: ["contacts", "Title"], Case: ["cases", "Subject"] };

const CHANGES_PER_REQUEST = 500;

/** Changes a hundredth of so many records in the source; every tenth of these is deleted. */
async function changeSource(org: RunningOrg, { organizationId }: MigrationKey, records: number): Promise<void> {
  const { pool } = await import("@/tests/support/owner");
  const changes: Change[] = [];
  for (const [object, [resource, field = ""]] of Object.entries(CHANGED)) {
    const { rows } = await pool().query<{ ext_id: string }>(
      `SELECT ext_id FROM ${resource} WHERE organization_id = $1 ORDER BY md5(ext_id) LIMIT $2`,
      [organizationId, Math.ceil(records / 300)],
    );
    for (const [index, { ext_id: id }] of rows.entries())
      changes.push(
        index % 10 === 0 ? { op: "delete", object, id } : { op: "update", object, id, fields: { [field]: "x" } },
      );
  }
  for (let start = 0; start < changes.length; start += CHANGES_PER_REQUEST)
    await org.mutate(...changes.slice(start, start + CHANGES_PER_REQUEST));
  // A delta reads what was changed before the second in which it starts.
  await delay(1500);
}

/** Undoes a migration in the worker, and returns the seconds. */
async function undoToTheEnd({ organizationId, migrationId }: MigrationKey): Promise<number> {
  const { pool } = await import("@/tests/support/owner");
  const { undoMigration } = await import("@/lib/migration/undo/undo-migration");
  const { execute } = await import("@/lib/operation");
  const { createContext } = await import("@/tests/support/factories");
  const context = await createContext({ organizationId });
  const started = performance.now();
  await execute(undoMigration, context, { migration_id: migrationId });
  for (;;) {
    const { rows } = await pool().query<{ status: string }>("SELECT status FROM migrations WHERE id = $1", [
      migrationId,
    ]);
    const status = rows[0]?.status;
    if (status === "undone") return (performance.now() - started) / 1000;
    if (status !== "undoing") throw new Error(`The undo ended as ${status}.`);
    await delay(SAMPLE_MS);
  }
}

interface Sample {
  seconds: number;
  /** Records by object. */
  stored: Record<string, number>;
}

/** Of one object, or of all. */
function tenthsOf(samples: readonly Sample[], object?: string): [number, number] {
  const doneIn = ({ stored }: Sample) =>
    object ? (stored[object] ?? 0) : Object.values(stored).reduce((sum, records) => sum + records, 0);
  const last = samples.at(-1);
  const all = last ? doneIn(last) : 0;
  const secondsAt = (done: number) => samples.find((sample) => doneIn(sample) >= done)?.seconds ?? Number.NaN;
  return [secondsAt(all / 10) - secondsAt(1), secondsAt(all) - secondsAt(all * 0.9)];
}

/**
 * How many records it takes until their speed, and not that of a start, is what is measured. A tenth of fewer may be
 * stored between two samples.
 */
const MANY_RECORDS = 100_000;

function steadinessOf(samples: readonly Sample[], objects: readonly string[]): Record<string, number> {
  const large = objects.filter((object) => (samples.at(-1)?.stored[object] ?? 0) >= MANY_RECORDS);
  return Object.fromEntries(large.map((object) => [object, ratio(...tenthsOf(samples, object))]));
}

/** What an import should reach: of the floor, per second on two cores, and at its end; and what it may take. */
const GOALS = {
  ofFloor: { atLeast: 0.4 },
  speed: { atLeast: 10_000 },
  steady: { atLeast: 0.9 },
  again: { atLeast: 3 },
  megabytes: { atMost: 300 },
};

/**
 * Import of a sandbox org of so many records, twice: into an empty organization, and again with nothing changed; then a
 * delta after a hundredth of the records was changed, and an undo. The floor is the load statement alone, measured on
 * the same server before and after.
 */
export async function run(records: number): Promise<Measurement[]> {
  return withService(async ({ startOrg }) => {
    const { registerSender } = await import("@/inngest/client");
    const { createMigration } = await import("@/tests/migration/support/run-migration");
    registerSender();
    const before = await loadFloor(records);
    const org = await startOrg(records);
    const worker = await startWorker();
    const processes = await processesOf(org, worker);
    const times = () => Promise.all(Object.values(processes).map(processorTime));
    const key = await createMigration(undefined, org);
    const used = await times();
    const first = await runToTheEnd(key);
    const perRecord = (await times()).map((time, index) => ((time - (used[index] ?? 0)) / records) * 1e6);
    const again = await runToTheEnd(key);
    await changeSource(org, key, records);
    const delta = await runToTheEnd(key, "delta");
    const undo = await undoToTheEnd(key);
    const megabytes = await memoryOf(worker.pid, "VmHWM");
    worker.kill("SIGTERM");
    await once(worker, "exit");
    const floor = (before + (await loadFloor(records))) / 2;
    const beside = { against: "load statement alone", floor, unit: "records/s" };
    const speed = records / first.seconds;
    return [
      { name: "records", value: records, unit: "" },
      { name: "import, records per second", value: Math.round(speed), unit: "records/s", goal: GOALS.speed },
      { name: "floor: load statement alone", value: Math.round(floor), unit: "rows/s" },
      compare({ ...beside, what: "import", ours: speed, goal: GOALS.ofFloor }),
      compare({ ...beside, what: "import again with nothing changed", ours: records / again.seconds }),
      compare({ ...beside, what: "delta of 1%, per record of the source", ours: records / delta.seconds }),
      compare({ ...beside, what: "undo", ours: records / undo }),
      ...(records >= MANY_RECORDS
        ? [{ name: "last tenth / first tenth, speed", value: ratio(...first.tenths), unit: "", goal: GOALS.steady }]
        : []),
      ...Object.entries(first.steadiness).map(([object, value]) => ({
        name: `last tenth / first tenth of ${object}, speed`,
        value,
        unit: "",
      })),
      {
        name: "again with nothing changed / import, speed",
        value: ratio(first.seconds, again.seconds),
        unit: "",
        ...(records >= MANY_RECORDS && { goal: GOALS.again }),
      },
      { name: "delta of 1% / import, time", value: ratio(delta.seconds, first.seconds), unit: "" },
      { name: "undo / import, time", value: ratio(undo, first.seconds), unit: "" },
      ...Object.keys(processes).map((name, index) => ({
        name: `processor time of ${name}`,
        value: Math.round(perRecord[index] ?? 0),
        unit: "µs per record",
      })),
      { name: "worker, peak memory", value: Math.round(megabytes), unit: "MB", goal: GOALS.megabytes },
    ];
  });
}

function ratio(one: number, other: number): number {
  return Number((one / other).toFixed(2));
}

if (import.meta.main) {
  for (const { name, value, unit } of await run(MANY_RECORDS)) console.log(`${name}: ${value} ${unit}`.trim());
}
