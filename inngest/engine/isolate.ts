import { totalmem } from "node:os";

import { addJob, finishJob, type Queryable, type RunRequest, type TakenJob } from "@/inngest/engine/queue/jobs";
import { failRun, isolated, type Run } from "@/inngest/engine/run";
import { pool, transaction } from "@/lib/database/db";
import { WORKER_DIED } from "@/lib/jobs";
import { log } from "@/lib/log";

/**
 * Runs a job in a separate process. When `yieldSignal` is aborted, the process finishes its step and returns the job to
 * the queue. `died`: the process ended during the job. Throws when the process could not start the job.
 */
export type ForkJob = (job: TakenJob, request: RunRequest, yieldSignal: AbortSignal) => Promise<"ended" | "died">;

/** How many processes may die over a run without progress in between. */
const MAX_DEATHS = 2;

/** What a worker takes, and each job process beside it (docs/deploy.md, "Sizes"). */
const BYTES_PER_PROCESS = 384 * 2 ** 20;

/**
 * The most job processes at once. Each takes a core for a second to start, and as much memory as the worker. When the
 * machine or the container runs out of memory it kills one, and its job would be blamed for that.
 */
const MAX_ISOLATED = mostIsolated(Math.min(totalmem(), process.constrainedMemory() || Infinity));

/** One to four, as the memory of the machine or of the container allows. */
export function mostIsolated(memoryBytes: number): number {
  return Math.min(4, Math.max(1, Math.floor(memoryBytes / BYTES_PER_PROCESS) - 1));
}

/** When to try again for a free process. The job waits in the queue, so it occupies no worker. */
const RETRY_MS = 500;

/**
 * Runs a job that a worker was running when it died. Nobody knows whether this job killed the worker, so it gets a
 * separate process: if that dies too, no other work is lost and the cause is certain. The run fails when it made no
 * progress in between.
 */
export async function runIsolated(fork: ForkJob, job: TakenJob, run: Run, request: RunRequest): Promise<void> {
  const requeue = (db: Queryable, delayMs: number) =>
    addJob(db, "run-function", request, { queue: run.queue, delayMs });
  if (isolated.size >= MAX_ISOLATED) {
    // A run that makes progress is no longer suspect, so the oldest one yields. One that hangs keeps its process.
    [...isolated.values()].find(({ signal }) => !signal.aborted)?.abort();
    return transaction(async (db) => {
      await finishJob(db, job);
      await requeue(db, RETRY_MS);
    });
  }
  const yieldController = new AbortController();
  isolated.set(job.id, yieldController);
  try {
    await markIsolated(run.id, true);
    const end = await fork(job, request, yieldController.signal).catch(async (error: unknown) => {
      await markIsolated(run.id, false);
      throw error;
    });
    if (end === "died") {
      await transaction(async (db) => {
        await finishJob(db, job);
        if (await survivesDeath(db, run)) await requeue(db, 0);
      });
    }
  } finally {
    isolated.delete(job.id);
  }
}

async function markIsolated(runId: string, isIsolated: boolean): Promise<void> {
  await pool().query("update job_runs set alone = $2 where id = $1", [runId, isIsolated]);
}

/** Counts a death against a run. Returns false when the run has ended, or fails because of too many deaths. */
async function survivesDeath(db: Queryable, { id, functionId }: Run): Promise<boolean> {
  const { rows } = await db.query<{ in_vain: number }>(
    `update job_runs set alone = false, deaths = deaths + 1, in_vain = in_vain + 1 where id = $1 and state = 'running'
      returning in_vain`,
    [id],
  );
  const deaths = rows[0]?.in_vain;
  if (deaths === undefined) return false;
  log.warn({ run_id: id, function_id: functionId, deaths }, "a process died over a job");
  if (deaths < MAX_DEATHS) return true;
  await failRun(db, id, {
    name: WORKER_DIED,
    message: `${deaths} processes died while they ran the job, so it is not tried again.`,
  });
  return false;
}

/**
 * Clears the deaths counted against a run, because it made progress; in the transaction that stores the progress. It
 * stays in its separate process until a worker takes it again (run.ts).
 */
export async function clearDeaths(db: Queryable, runId: string): Promise<void> {
  await db.query("update job_runs set in_vain = 0 where id = $1", [runId]);
}
