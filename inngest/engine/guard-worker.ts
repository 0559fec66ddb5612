import { setTimeout as delay } from "node:timers/promises";

import { releaseDeadWorkers } from "@/inngest/engine/queue/release-dead-workers";
import { releaseJobs } from "@/inngest/engine/queue/release-jobs";
import { holdWorkerLock } from "@/inngest/engine/worker-lock";
import { pool } from "@/lib/db";
import { log } from "@/lib/log";

const PATROL_MS = 1000;

export interface WorkerGuard {
  /** Gives back what the worker still holds. */
  releaseJobs(): Promise<void>;
  end(): void;
}

/**
 * Keeps a worker known as alive, and looks after the jobs of those that died. Resolves when the lock is held and the first look is
 * done: only then may the worker take its first job.
 */
export async function guardWorker(workerId: string): Promise<WorkerGuard> {
  const lock = await holdWorkerLock(workerId);
  const ending = new AbortController();
  await patrol(workerId);
  void patrolUntil(ending.signal, workerId);
  return {
    releaseJobs: () => releaseJobs(pool(), workerId),
    end: () => {
      ending.abort();
      lock.release();
    },
  };
}

async function patrolUntil(ending: AbortSignal, workerId: string): Promise<void> {
  while (!ending.aborted) {
    await delay(PATROL_MS, undefined, { signal: ending }).catch(() => undefined);
    if (!ending.aborted) await patrol(workerId);
  }
}

async function patrol(workerId: string): Promise<void> {
  try {
    const dead = await releaseDeadWorkers(workerId);
    if (dead.length > 0) log.warn({ worker_id: workerId, dead }, "took over from workers that died");
  } catch (error) {
    log.warn({ worker_id: workerId, err: error }, "cannot look for workers that died, trying again");
  }
}
