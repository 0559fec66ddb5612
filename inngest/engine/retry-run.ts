import { failRun } from "@/inngest/engine/fail-run";
import type { HeldJob } from "@/inngest/engine/held-jobs";
import type { JobError } from "@/inngest/engine/job-error";
import { addJob } from "@/inngest/engine/queue/add-job";
import type { Queryable } from "@/inngest/engine/queue/database";
import { type Backoff, retryDelay } from "@/inngest/engine/retry-delay";
import { log } from "@/lib/log";

interface Failure {
  error: JobError;
  retryAfter: string | null;
}

/** Has the same call made again after a while, or ends the run when that was the last attempt. */
export async function retryRun(db: Queryable, job: HeldJob, failure: Failure, rules: { maxAttempts: number; backoff: Backoff }): Promise<void> {
  const { attempt, run_id } = job.request;
  if (attempt + 1 >= rules.maxAttempts) return failRun(db, run_id, failure.error);
  const delayMs = retryDelay(failure.retryAfter, attempt, rules.backoff);
  log.warn({ run_id, function_id: job.functionId, attempt, delay_ms: Math.round(delayMs), err: failure.error }, "job will be tried again");
  await addJob(db, "run-function", { ...job.request, attempt: attempt + 1 }, { queue: job.queue, delayMs });
}
