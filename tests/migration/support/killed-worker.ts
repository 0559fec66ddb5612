import { setTimeout as delay } from "node:timers/promises";

import type { MigrationKey } from "@/lib/migration/migration-schema";
import { type Supervised, supervise } from "@/scripts/service/supervisor/supervise";
import { WORKER_ARGS } from "@/scripts/service/supervisor/process-args";
import { finishedOf } from "@/tests/migration/support/run-migration";

/** Starts workers as the service does: when one ends, the next one starts. */
export function startWorkers(): Supervised {
  const env = { ...process.env, LOG_LEVEL: "silent" };
  return supervise({ name: "worker", args: WORKER_ARGS, cwd: process.cwd(), env, print: () => undefined });
}

/** The records that a run has accounted for; infinity once it is over. */
export async function progressOf(key: MigrationKey): Promise<number> {
  const { lines, status } = await finishedOf(key);
  const sum = Object.values(lines).reduce(
    (all, { created, updated, unchanged, skipped, failed }) => all + created + updated + unchanged + skipped + failed,
    0,
  );
  return status === "running" ? sum : Number.POSITIVE_INFINITY;
}

/** Waits until more records than `records` are accounted for, or the run is over. */
export async function untilBeyond(key: MigrationKey, records: number): Promise<void> {
  const deadline = performance.now() + 60_000;
  while ((await progressOf(key)) <= records) {
    if (performance.now() > deadline) throw new Error(`No progress beyond ${records} records for a minute.`);
    await delay(5);
  }
}

/** Kills the worker and returns the milliseconds until the next one has made progress. */
export async function kill(workers: Supervised, key: MigrationKey): Promise<number> {
  const pid = workers.pid();
  if (pid === undefined) throw new Error("There is no worker to kill.");
  const killed = performance.now();
  process.kill(pid, "SIGKILL");
  // Statements that the worker had sent may still be committed. They are not progress of the next worker.
  while (workers.pid() === pid || workers.pid() === undefined) await delay(5);
  await untilBeyond(key, await progressOf(key));
  return performance.now() - killed;
}
