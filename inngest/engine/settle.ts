import type { PoolClient } from "pg";

import type { Answer, JobError, FinishedStep, PlannedStep } from "@/inngest/engine/answer";
import { clearDeaths } from "@/inngest/engine/isolate";
import { addJob, finishJob, type Queryable, type TakenJob } from "@/inngest/engine/queue/jobs";
import { failRun, type HeldJob } from "@/inngest/engine/run";
import { transaction } from "@/lib/database/db";
import { log } from "@/lib/log";
import { parseRetryAfter } from "@/lib/outbound/retry-after";

interface Rules {
  maxAttempts: number;
  backoff: Backoff;
}

/**
 * Stores the outcome of a call, queues what follows and removes the job, in one transaction. So it counts once, and
 * wholly or not at all. Throws `JobLost` when another worker has taken the job.
 */
export async function settle(job: HeldJob, answer: Answer, rules: Rules): Promise<void> {
  await transaction(async (db) => {
    await finishJob(db, job);
    const { rows } = await db.query<{ state: string }>({
      name: "jobs-lock-run",
      text: "select state from job_runs where id = $1 for update",
      values: [job.request.run_id],
    });
    if (rows[0]?.state === "running") await apply(db, job, answer, rules);
  });
}

async function apply(db: PoolClient, job: HeldJob, { finished, planned, next }: Answer, rules: Rules): Promise<void> {
  const runId = job.request.run_id;
  if (job.isSuspect) await clearDeaths(db, runId);
  const fault = exceededLimit(job, finished);
  if (fault) return failRun(db, runId, fault);
  await memoise(db, runId, finished);
  switch (next.do) {
    case "complete":
      await db.query("update job_runs set state = 'completed', output = $2, finished_at = now() where id = $1", [
        runId,
        next.output,
      ]);
      return;
    case "fail":
      return failRun(db, runId, next.error);
    case "retry":
      return retryRun(db, job, next, rules);
    case "continue":
      if (planned.length > 0) return planSteps(db, job, planned);
      if (job.request.step !== "step") return resumeRun(db, runId, job.request.step);
      return addJob(db, "run-function", { run_id: runId, step: "step", attempt: 0 }, { queue: job.queue });
  }
}

interface Failure {
  error: JobError;
  retryAfter: string | null;
}

/** Queues the same call again after a delay; after the last attempt, fails the run. */
async function retryRun(db: Queryable, job: HeldJob, failure: Failure, rules: Rules): Promise<void> {
  const { attempt, run_id } = job.request;
  if (attempt + 1 >= rules.maxAttempts) return failRun(db, run_id, failure.error);
  const delayMs = retryDelay(failure.retryAfter, attempt, rules.backoff);
  log.warn(
    { run_id, function_id: job.functionId, attempt, delay_ms: Math.round(delayMs), err: failure.error },
    "job will be retried",
  );
  await addJob(db, "run-function", { ...job.request, attempt: attempt + 1 }, { queue: job.queue, delayMs });
}

/** Milliseconds to wait after attempt number `attempt` (from 0) has failed. */
export type Backoff = (attempt: number) => number;

/** As Inngest: 15 s, 30 s, 1 m, 2 m, 5 m, 10 m, 20 m, 40 m, 1 h, 2 h, and up to 30 s more. */
const BACKOFF_SECONDS = [15, 30, 60, 120, 300, 600, 1200, 2400, 3600, 7200];

const JITTER_MS = 30_000;

export const inngestBackoff: Backoff = (attempt) => {
  const seconds = BACKOFF_SECONDS[Math.min(attempt, BACKOFF_SECONDS.length - 1)] ?? 0;
  return seconds * 1000 + Math.random() * JITTER_MS;
};

/** The delay that a function requested with RetryAfterError, or the usual one. */
export function retryDelay(retryAfter: string | null, attempt: number, backoff: Backoff): number {
  return parseRetryAfter(retryAfter) ?? backoff(attempt);
}

// The limits of an Inngest server, so that a function which runs here runs there.
const MAX_STEP_BYTES = 4 * 1024 * 1024;

const MAX_RUN_BYTES = 32 * 1024 * 1024;

const MAX_STEPS = 1000;

/** The error when storing `finished` would exceed a limit; else undefined. */
export function exceededLimit(job: HeldJob, finished: readonly FinishedStep[]): JobError | undefined {
  const largest = Math.max(0, ...finished.map((step) => Buffer.byteLength(step.value)));
  if (largest > MAX_STEP_BYTES)
    return limitExceeded(
      `A step returned ${largest} bytes; the most is ${MAX_STEP_BYTES}. Return ids and counters, not records.`,
    );
  const bytes = job.bytes + finished.reduce((sum, step) => sum + Buffer.byteLength(step.value), 0);
  if (bytes > MAX_RUN_BYTES)
    return limitExceeded(`The steps of the run returned ${bytes} bytes together; the most is ${MAX_RUN_BYTES}.`);
  if (job.steps + finished.length > MAX_STEPS)
    return limitExceeded(`The run has more than ${MAX_STEPS} steps. Let a step do more, or hand on to another run.`);
  return undefined;
}

function limitExceeded(message: string): JobError {
  return { name: "LimitExceeded", message };
}

/** Stores finished steps, and logs which have failed. A step that is already memoised stays unchanged. */
export async function memoise(db: Queryable, runId: string, finished: readonly FinishedStep[]): Promise<void> {
  if (finished.length === 0) return;
  for (const { error } of finished) if (error) log.warn({ run_id: runId, err: error }, "a step of a job failed");
  await db.query({
    name: "jobs-memoise",
    text: `insert into job_steps (run_id, id, value)
           select $1, step.id, step.value
           from unnest($2::text[], $3::text[]) with ordinality as step (id, value, position) order by position
           on conflict (run_id, id) do nothing`,
    values: [runId, finished.map((step) => step.id), finished.map((step) => step.value)],
  });
}

/** Counts steps of the run after their transaction has committed. */
export function countSteps(job: HeldJob, finished: readonly FinishedStep[]): void {
  job.steps += finished.length;
  job.bytes += finished.reduce((sum, step) => sum + Buffer.byteLength(step.value), 0);
}

/** Queues parallel steps, each as a separate job. The function is called again when all have finished. */
async function planSteps(db: Queryable, job: HeldJob, planned: readonly PlannedStep[]): Promise<void> {
  const runId = job.request.run_id;
  await db.query("update job_runs set planned = $2 where id = $1", [runId, planned.map((step) => step.id)]);
  for (const { id, waitMs } of planned) {
    if (waitMs === null)
      await addJob(db, "run-function", { run_id: runId, step: id, attempt: 0 }, { queue: job.queue });
    else await addJob(db, "wake-run", { run_id: runId, step: id }, { delayMs: waitMs });
  }
}

/** Removes a finished step from the planned ones, and queues the next call of the function after the last. */
async function resumeRun(db: Queryable, runId: string, stepId: string): Promise<void> {
  const { rows } = await db.query<{ queue: string | null; left: number }>(
    `update job_runs set planned = array_remove(planned, $2) where id = $1 and state = 'running'
      returning queue, cardinality(planned) as left`,
    [runId, stepId],
  );
  if (rows[0]?.left === 0)
    await addJob(db, "run-function", { run_id: runId, step: "step", attempt: 0 }, { queue: rows[0].queue });
}

/** Ends a sleep: memoises it and resumes the run. */
export async function wakeRun(job: TakenJob, request: { run_id: string; step: string }): Promise<void> {
  await transaction(async (db) => {
    await finishJob(db, job);
    const { rows } = await db.query<{ state: string }>("select state from job_runs where id = $1 for update", [
      request.run_id,
    ]);
    if (rows[0]?.state !== "running") return;
    await memoise(db, request.run_id, [{ id: request.step, value: "null" }]);
    await resumeRun(db, request.run_id, request.step);
  });
}
