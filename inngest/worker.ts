import { parseCronItem, run } from "graphile-worker";
import type { InngestFunction } from "inngest";

import { inngest } from "@/inngest/client";
import { readDefinitions } from "@/inngest/engine/function-definition";
import { guardWorker, type WorkerGuard } from "@/inngest/engine/guard-worker";
import { createInvoke } from "@/inngest/engine/invoke";
import { queueLogger } from "@/inngest/engine/queue-logger";
import type { Fork } from "@/inngest/engine/run-alone";
import { type Backoff, inngestBackoff } from "@/inngest/engine/retry-delay";
import { cronItems } from "@/inngest/engine/scheduled-runs";
import { createTasks } from "@/inngest/engine/tasks";
import { registerSender } from "@/inngest/register-sender";
import { pool } from "@/lib/db";
import { endEverything } from "@/lib/endings";
import { endsWithin } from "@/lib/ends-within";

interface WorkerOptions {
  functions: readonly InngestFunction.Any[];
  /** Function calls carried out at the same time. Each may hold a connection of the pool and wait for another: there must be more of these than calls. */
  concurrency?: number;
  backoff?: Backoff;
  /** How often to look for work that became due, in milliseconds. New work is announced at once. */
  pollInterval?: number;
  /** Gives what has a job carried out by a process of its own, until this worker stops. */
  forkJob?: (stopping: AbortSignal) => Fork;
}

export interface Worker {
  /**
   * Takes no more work, lets what is under way end, and what has to be done before a process ends (`lib/endings.ts`: webhook requests, counts of what was stored), and gives back what has not ended after `patienceMs`. False when something
   * was given back: its code still runs here, but has no effect on its run any more, and the process should exit.
   */
  stop(patienceMs?: number): Promise<boolean>;
  /** Ends with the worker; rejects when it cannot go on. */
  ended: Promise<void>;
}

const PATIENCE_MS = 8000;
/** However long the jobs took: what endpoints have answered is recorded within, and what was stored is counted. */
const LEAST_PATIENCE_MS = 1000;

/**
 * Starts a worker of the embedded engine in this process: it dispatches events, runs `functions` and starts the scheduled ones.
 * Throws when a function asks for what the engine does not do. Resolves when it is ready to take work.
 */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const { functions, concurrency = 16, backoff = inngestBackoff, pollInterval = 1000, forkJob } = options;
  const definitions = readDefinitions(inngest.id, functions);
  const stopping = new AbortController();
  const guard = Promise.withResolvers<WorkerGuard>();
  registerSender();
  const runner = await run({
    pgPool: pool(),
    concurrency,
    pollInterval,
    noHandleSignals: true,
    logger: queueLogger,
    taskList: createTasks({
      definitions,
      invoke: createInvoke(inngest, functions),
      backoff,
      stopping: stopping.signal,
      ...(forkJob && { fork: forkJob(stopping.signal) }),
    }),
    parsedCronItems: [...cronItems(definitions.values()), parseCronItem({ task: "purge-jobs", match: "17 * * * *" })],
    preset: { plugins: [guardPlugin(guard.resolve)] },
  });
  // Whoever waits for the end still hears of it; nobody has to.
  runner.promise.catch(() => undefined);
  const { releaseJobs, end } = await guard.promise;
  return {
    ended: runner.promise,
    stop: async (patienceMs = PATIENCE_MS) => {
      stopping.abort();
      const until = performance.now() + patienceMs;
      const jobs = endsWithin(patienceMs, runner.stop());
      const rest = endEverything(jobs);
      const haveJobsEnded = await jobs;
      if (!haveJobsEnded) await releaseJobs();
      const hasRestEnded = await endsWithin(Math.max(LEAST_PATIENCE_MS, until - performance.now()), rest);
      end();
      return haveJobsEnded && hasRestEnded;
    },
  };
}

/** graphile-worker awaits `startWorker` hooks before a worker looks for its first job; all workers of a pool share one id. */
function guardPlugin(onGuarded: (guard: WorkerGuard) => void): GraphileConfig.Plugin {
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
