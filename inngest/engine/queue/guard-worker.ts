import { setTimeout as delay } from "node:timers/promises";

import { releaseJobs } from "@/inngest/engine/queue/jobs";
import { holdWorkerLock, WORKER_LOCK } from "@/inngest/engine/queue/worker-lock";
import { pool, transaction } from "@/lib/database/db";
import { log } from "@/lib/log";

const CHECK_INTERVAL_MS = 1000;

export interface WorkerGuard {
  /** Gives back what the worker still holds. */
  releaseJobs(): Promise<void>;
  end(): void;
}

/**
 * Keeps a worker known as alive, and looks after the jobs of those that died. Resolves when the lock is held and the
 * first look is done: only then may the worker take its first job.
 */
async function guardWorker(workerId: string): Promise<WorkerGuard> {
  const lock = await holdWorkerLock(workerId);
  const ending = new AbortController();
  await checkDeadWorkers(workerId);
  void checkUntil(ending.signal, workerId);
  return {
    releaseJobs: () => releaseJobs(pool(), workerId),
    end: () => {
      ending.abort();
      lock.release();
    },
  };
}

async function checkUntil(ending: AbortSignal, workerId: string): Promise<void> {
  while (!ending.aborted) {
    await delay(CHECK_INTERVAL_MS, undefined, { signal: ending }).catch(() => undefined);
    if (!ending.aborted) await checkDeadWorkers(workerId);
  }
}

async function checkDeadWorkers(workerId: string): Promise<void> {
  try {
    const dead = await releaseDeadWorkers(workerId);
    if (dead.length > 0) log.warn({ worker_id: workerId, dead }, "took over from workers that died");
  } catch (error) {
    log.warn({ worker_id: workerId, err: error }, "cannot look for workers that died, trying again");
  }
}

/**
 * One statement of its own: what it finds locked has not been given back, since whoever gives back holds the lock of
 * that worker until then.
 */
const FIND_DEAD = `
  with holder as (
    select locked_by from graphile_worker._private_jobs where locked_by is not null
    union
    select locked_by from graphile_worker._private_job_queues where locked_by is not null
  )
  select locked_by as id from holder where locked_by <> $1 and pg_try_advisory_xact_lock(hashtextextended($2 || locked_by, 0))`;

/**
 * Whatever was in hand may be what it died of. What a process of its own carried out is not: that process is watched by
 * itself (run-alone.ts).
 */
const COUNT_DEATHS = `
  update job_runs r set deaths = deaths + 1, in_vain = in_vain + 1
  from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
  where j.locked_by = any($1) and t.identifier = 'run-function' and r.id = (j.payload->>'run_id')::uuid and not r.alone`;

/**
 * Gives back the jobs of workers that died, counts the death against each, and returns the workers' ids. A live worker
 * holds an advisory lock in its own name (worker-lock.ts); whoever can take that lock knows that the worker is gone.
 * graphile-worker alone would wait four hours.
 */
export function releaseDeadWorkers(self: string): Promise<string[]> {
  return transaction(async (db) => {
    const { rows } = await db.query<{ id: string }>(FIND_DEAD, [self, WORKER_LOCK]);
    const dead = rows.map(({ id }) => id);
    if (dead.length === 0) return dead;
    await db.query(COUNT_DEATHS, [dead]);
    await db.query(`select graphile_worker.force_unlock_workers($1), pg_notify('jobs:insert', '{"count":100}')`, [
      dead,
    ]);
    return dead;
  });
}

/**
 * graphile-worker awaits `startWorker` hooks before a worker looks for its first job; all workers of a pool share one
 * id.
 */
export function workerGuardPlugin(onGuarded: (guard: WorkerGuard) => void): GraphileConfig.Plugin {
  let guarded: Promise<void> | undefined;
  return {
    name: "crm-guard-worker",
    worker: {
      hooks: {
        startWorker: (_context, { worker }) => (guarded ??= guardWorker(worker.workerPool.id).then(onGuarded)),
      },
    },
  };
}
