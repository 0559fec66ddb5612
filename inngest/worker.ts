import { parseCronItem, run } from "graphile-worker";
import type { InngestFunction } from "inngest";

import { inngest, registerSender } from "@/inngest/client";
import { readDefinitions } from "@/inngest/engine/function-definition";
import { type Backoff, inngestBackoff } from "@/inngest/engine/settle";
import { pool, closeDatabase } from "@/lib/database/db";
import { finishesWithin } from "@/lib/semaphore";
import type { ForkJob } from "@/inngest/engine/isolate";
import { type WorkerGuard, workerGuardPlugin } from "@/inngest/engine/queue/guard-worker";
import { createInvoke } from "@/inngest/engine/run-function";
import { cronItems, createTasks, queueLogger, retriedPool } from "@/inngest/engine/tasks";
import { startSweeper } from "@/inngest/sweeper";
import { forkJob, isJobProcess, runJobProcess } from "@/inngest/job-process";
import { log } from "@/lib/log";
import { closeTraces, metrics } from "@/lib/observability/instruments";
import { shutDown } from "@/lib/shutdown";

interface WorkerOptions {
  functions: readonly InngestFunction.Any[];
  /**
   * The most function calls at once. A call may hold one connection of the pool and wait for a second, so the pool
   * needs more connections than this.
   */
  concurrency?: number;
  backoff?: Backoff;
  /**
   * How often to look at the queue while jobs are added, in milliseconds; half as often at rest. New jobs are announced
   * at once, and a look finds when the next ones are due.
   */
  lookInterval?: number;
  /** Makes the function that runs a job in a separate process, until this worker stops. */
  forkJob?: (stopping: AbortSignal) => ForkJob;
}

export interface Worker {
  /**
   * Takes no more jobs, waits for those that run and for the shutdown tasks (`lib/shutdown.ts`), and returns jobs that
   * have not ended after `timeoutMs` to the queue. False when it returned one: its code still runs here without effect
   * on its run, so the process should exit.
   */
  stop(timeoutMs?: number): Promise<boolean>;
  /** Ends with the worker; rejects when it cannot go on. */
  ended: Promise<void>;
}

/** Each idle worker of graphile-worker polls for itself. The guard wakes them instead (queue/watch-queue.ts). */
const POLL_INTERVAL_MS = 10 * 60_000;

const SHUTDOWN_TIMEOUT_MS = 8000;

/** Whoever stops the process waits little longer. Jobs that are not returned by then are those of a dead worker. */
const RELEASE_TIMEOUT_MS = 2000;

/** What the shutdown tasks get at least, however long the jobs took: to record attempts and count stored bytes. */
const MIN_SHUTDOWN_TIMEOUT_MS = 1000;

/**
 * Starts a worker of the embedded engine in this process. It dispatches events, runs `functions` and starts scheduled
 * ones. Throws when a function needs a feature that the engine lacks. Resolves when the worker takes jobs.
 */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const { functions, concurrency = 16, backoff = inngestBackoff, lookInterval = 1000, forkJob } = options;
  const definitions = readDefinitions(inngest.id, functions);
  const stopping = new AbortController();
  const guard = Promise.withResolvers<WorkerGuard>();
  const guardPlugin = workerGuardPlugin({
    intervalMs: lookInterval,
    stopping: stopping.signal,
    onGuarded: guard.resolve,
  });
  registerSender();
  metrics()?.concurrency.set(concurrency);
  const runner = await run({
    pgPool: retriedPool(pool()),
    concurrency,
    pollInterval: POLL_INTERVAL_MS,
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
    preset: { plugins: [guardPlugin] },
  });
  // `ended` still rejects for whoever awaits it. Without this a rejection that nobody awaits would end the process.
  runner.promise.catch(() => undefined);
  const { releaseJobs, end } = await guard.promise;
  return {
    ended: runner.promise,
    stop: async (timeoutMs = SHUTDOWN_TIMEOUT_MS) => {
      stopping.abort();
      const deadline = performance.now() + timeoutMs;
      const jobs = finishesWithin(timeoutMs, runner.stop());
      const shutdownTasks = shutDown(jobs);
      const haveJobsEnded = await jobs;
      if (!haveJobsEnded) await finishesWithin(RELEASE_TIMEOUT_MS, releaseJobs());
      const haveTasksEnded = await finishesWithin(
        Math.max(MIN_SHUTDOWN_TIMEOUT_MS, deadline - performance.now()),
        shutdownTasks,
      );
      end();
      return haveJobsEnded && haveTasksEnded;
    },
  };
}

/**
 * Makes this process a worker until SIGTERM or SIGINT. It then waits eight seconds for running steps, returns the other
 * jobs to the queue, and exits with 0. It exits with 1 when the worker cannot go on, for example without the database.
 * Started with {@link JOBS_ARGUMENT}, it is a job process instead (job-process.ts). `leaveSignals` is called once
 * signals are handled here.
 */
export async function runWorkerProcess(
  functions: readonly InngestFunction.Any[],
  leaveSignals = (): void => undefined,
): Promise<void> {
  if (isJobProcess()) {
    runJobProcess(functions);
    return leaveSignals();
  }
  try {
    const worker = await startWorker({ functions, forkJob });
    const stopped = stopSignal();
    leaveSignals();
    startSweeper();
    log.info({ functions: functions.map((fn) => fn.id()) }, "worker ready");
    const signal = await Promise.race([stopped, worker.ended]);
    log.info({ signal }, "worker stopping");
    const allEnded = await worker.stop();
    log.info({ all_ended: allEnded }, "worker stopped");
    await closeTraces();
    if (allEnded) await closeDatabase();
    process.exit(0);
  } catch (error) {
    log.fatal({ err: error }, "worker failed");
    process.exit(1);
  }
}

function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    // The handlers stay, so that a second signal does not interrupt the shutdown.
    for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => resolve(signal));
  });
}
