import type { WorkerEvents } from "graphile-worker";

import { releaseJobs } from "@/inngest/engine/queue/jobs";
import { QueueWatch, type WatchOptions, type Workers } from "@/inngest/engine/queue/watch-queue";
import { holdWorkerLock } from "@/inngest/engine/queue/worker-lock";

export interface WorkerGuard {
  /** Returns all jobs of the worker to the queue. */
  releaseJobs(): Promise<void>;
  end(): void;
}

/**
 * Holds the lock that says that a worker is alive, and watches the queue in its place. Resolves when the lock is held
 * and dead workers were looked for once; the worker must not take a job before that.
 */
async function guardWorker(workers: Workers, events: WorkerEvents, options: WatchOptions): Promise<WorkerGuard> {
  const lock = await holdWorkerLock(workers.id);
  const watch = new QueueWatch(workers, lock, options);
  await watch.look();
  events.on("pool:listen:notification", watch.notice);
  return {
    releaseJobs: () => releaseJobs(lock.connection(), workers.id),
    end: () => {
      watch.end();
      lock.release();
    },
  };
}

interface GuardOptions extends WatchOptions {
  onGuarded: (guard: WorkerGuard) => void;
}

/**
 * graphile-worker awaits `startWorker` hooks before a worker takes its first job. All workers of a pool share one id.
 */
export function workerGuardPlugin({ onGuarded, ...options }: GuardOptions): GraphileConfig.Plugin {
  let guarded: Promise<void> | undefined;
  return {
    name: "crm-guard-worker",
    worker: {
      hooks: {
        startWorker: ({ events }, { worker: { workerPool } }) =>
          (guarded ??= guardWorker(workerPool, events, options).then(onGuarded)),
      },
    },
  };
}
