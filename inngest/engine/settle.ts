import type { PoolClient } from "pg";

import { parseRetryAfter } from "@/lib/outbound/retry-after";
import type { Answer, JobError } from "@/inngest/engine/answer";
import { clearDeaths } from "@/inngest/engine/isolate";
import { addJob, finishJob, type Queryable } from "@/inngest/engine/queue/jobs";
import { failRun, type HeldJob } from "@/inngest/engine/run";
import { exceededLimit, memoise, planSteps, resumeRun } from "@/inngest/engine/steps";
import { transaction } from "@/lib/database/db";
import { log } from "@/lib/log";

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
async function retryRun(
  db: Queryable,
  job: HeldJob,
  failure: Failure,
  rules: { maxAttempts: number; backoff: Backoff },
): Promise<void> {
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
