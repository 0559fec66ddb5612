import type { InngestFunction } from "inngest";

import { forkJob, isJobProcess, runJobProcess } from "@/inngest/job-process";
import { startWorker } from "@/inngest/worker";
import { closeDatabase } from "@/lib/db";
import { log } from "@/lib/log";

/**
 * Makes this process a worker until SIGTERM or SIGINT. It then lets steps under way end for eight seconds, gives back the rest, and
 * exits with 0; a job that was in hand when a worker died has a process of its own (job-process.ts). When the worker cannot go on, because the database is gone for good say, the process exits with 1.
 */
export async function runWorkerProcess(functions: readonly InngestFunction.Any[]): Promise<void> {
  if (isJobProcess()) return runJobProcess(functions);
  try {
    const worker = await startWorker({ functions, forkJob });
    log.info({ functions: functions.map((fn) => fn.id()) }, "worker ready");
    const signal = await Promise.race([stopSignal(), worker.ended]);
    log.info({ signal }, "worker stopping");
    const allEnded = await worker.stop();
    log.info({ all_ended: allEnded }, "worker stopped");
    if (allEnded) await closeDatabase();
    process.exit(0);
  } catch (error) {
    log.fatal({ err: error }, "worker failed");
    process.exit(1);
  }
}

function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    // The handlers stay: a second signal must not cut the orderly end short.
    for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => resolve(signal));
  });
}
