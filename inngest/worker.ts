import { parseCronItem, run } from "graphile-worker";
import type { InngestFunction } from "inngest";

import { inngest, registerSender } from "@/inngest/client";
import { readDefinitions } from "@/inngest/engine/function-definition";
import type { ForkJob } from "@/inngest/engine/isolate";
import { type WorkerGuard, workerGuardPlugin } from "@/inngest/engine/queue/guard-worker";
import { createInvoke } from "@/inngest/engine/run-function";
import { type Backoff, inngestBackoff } from "@/inngest/engine/settle";
import { cronItems, createTasks, queueLogger } from "@/inngest/engine/tasks";
import { forkJob, isJobProcess, runJobProcess } from "@/inngest/job-process";
import { pool, closeDatabase } from "@/lib/database/db";
import { log } from "@/lib/log";
import { shutDown } from "@/lib/shutdown";
import { finishesWithin } from "@/lib/timeout";

interface WorkerOptions {
  functions: readonly InngestFunction.Any[];
  /**
   * Function calls carried out at the same time. Each may hold a connection of the pool and wait for another: there
   * must be more of these than calls.
   */
  concurrency?: number;
  backoff?: Backoff;
  /** How often to look for work that became due, in milliseconds. New work is announced at once. */
  pollInterval?: number;
  /** Gives what has a job carried out by a process of its own, until this worker stops. */
  forkJob?: (stopping: AbortSignal) => ForkJob;
}

export interface Worker {
  /**
   * Takes no more work, lets what is under way end, and what has to be done before a process ends (`lib/shutdown.ts`:
   * webhook requests, counts of what was stored), and gives back what has not ended after `patienceMs`. False when
   * something was given back: its code still runs here, but has no effect on its run any more, and the process should
   * exit.
   */
  stop(patienceMs?: number): Promise<boolean>;
  /** Ends with the worker; rejects when it cannot go on. */
  ended: Promise<void>;
}

const SHUTDOWN_TIMEOUT_MS = 8000;

/** However long the jobs took: what endpoints have answered is recorded within, and what was stored is counted. */
const MIN_SHUTDOWN_TIMEOUT_MS = 1000;

/**
 * Starts a worker of the embedded engine in this process: it dispatches events, runs `functions` and starts the
 * scheduled ones. Throws when a function asks for what the engine does not do. Resolves when it is ready to take work.
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
    preset: { plugins: [workerGuardPlugin(guard.resolve)] },
  });
  // Whoever waits for the end still hears of it; nobody has to.
  runner.promise.catch(() => undefined);
  const { releaseJobs, end } = await guard.promise;
  return {
    ended: runner.promise,
    stop: async (patienceMs = SHUTDOWN_TIMEOUT_MS) => {
      stopping.abort();
      const until = performance.now() + patienceMs;
      const jobs = finishesWithin(patienceMs, runner.stop());
      const rest = shutDown(jobs);
      const haveJobsEnded = await jobs;
      if (!haveJobsEnded) await releaseJobs();
      const hasRestEnded = await finishesWithin(Math.max(MIN_SHUTDOWN_TIMEOUT_MS, until - performance.now()), rest);
      end();
      return haveJobsEnded && hasRestEnded;
    },
  };
}

/**
 * Makes this process a worker until SIGTERM or SIGINT. It then lets steps under way end for eight seconds, gives back
 * the rest, and exits with 0; a job that was in hand when a worker died has a process of its own (job-process.ts). When
 * the worker cannot go on, because the database is gone for good say, the process exits with 1.
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
