import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";

import type { RunningOrg } from "@/sandbox-org/start";
import { loadFloor } from "@/tests/benchmarks/load-floor";
import type { Measurement } from "@/tests/benchmarks/measurement";
import { withService } from "@/tests/benchmarks/temporary-database";
import { WORKER_ARGS } from "@/scripts/service/worker-process";

const RECORDS = 100_000;

/** A process's peak memory in megabytes (VmHWM of /proc, Linux). */
async function peakMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

/** Imports an org with a worker process. Returns the time in seconds and the worker's peak memory. */
async function importOrg(org: RunningOrg): Promise<{ seconds: number; megabytes: number }> {
  const { registerSender } = await import("@/inngest/client");
  const { transaction } = await import("@/lib/database/db");
  const { inOrganization } = await import("@/lib/database/organization-scope");
  const { requestJob } = await import("@/lib/jobs");
  const { startRun } = await import("@/lib/migration/start-migration");
  const { createMigration, finishedOf } = await import("@/tests/migration/support/run-migration");
  registerSender();
  const worker = spawn(process.execPath, WORKER_ARGS, { stdio: ["ignore", "ignore", "inherit"] });
  await delay(3000);
  const key = await createMigration(undefined, org);
  const started = performance.now();
  const run = await inOrganization(key.organizationId, () => transaction((tx) => startRun(tx, key)));
  await requestJob(
    "migration/run.requested",
    { organization_id: key.organizationId, migration_id: key.migrationId, run_number: 1 },
    key.migrationId,
  );
  while ((await finishedOf(key)).status === "running") await delay(50);
  const seconds = (performance.now() - started) / 1000;
  const finished = await finishedOf(key);
  if (!finished.status.startsWith("completed"))
    throw new Error(`Run ${run.runNumber} ended as ${finished.status}: ${JSON.stringify(finished.failure)}`);
  const megabytes = await peakMemory(worker.pid ?? 0);
  worker.kill("SIGTERM");
  await once(worker, "exit");
  return { seconds, megabytes };
}

/**
 * Import of 100,000 records of the sandbox org. The floor is the load statement alone, measured on the same server
 * before and after.
 */
export async function run(): Promise<Measurement[]> {
  return withService(async ({ startOrg }) => {
    const before = await loadFloor();
    const org = await startOrg(RECORDS);
    const { seconds, megabytes } = await importOrg(org);
    const after = await loadFloor();
    const floor = (before + after) / 2;
    const speed = RECORDS / seconds;
    return [
      { name: "import", value: Math.round(speed), unit: "records/s" },
      { name: "floor: load statement alone", value: Math.round(floor), unit: "rows/s" },
      { name: "import / floor", value: Number((speed / floor).toFixed(3)), unit: "" },
      { name: "worker, peak memory", value: Math.round(megabytes), unit: "MB" },
    ];
  });
}

if (import.meta.main) {
  for (const { name, value, unit } of await run()) console.log(`${name}: ${value} ${unit}`.trim());
}
