import type { PoolClient } from "pg";

import type { Answer } from "@/inngest/engine/answer";
import { failRun } from "@/inngest/engine/fail-run";
import type { HeldJob } from "@/inngest/engine/held-jobs";
import { limitBroken } from "@/inngest/engine/limits";
import { memoise } from "@/inngest/engine/memoise";
import { planSteps } from "@/inngest/engine/plan-steps";
import { addJob } from "@/inngest/engine/queue/add-job";
import { finishJob } from "@/inngest/engine/queue/finish-job";
import { resumeRun } from "@/inngest/engine/resume-run";
import { forgive } from "@/inngest/engine/run-alone";
import { retryRun } from "@/inngest/engine/retry-run";
import { type Backoff } from "@/inngest/engine/retry-delay";
import { transaction } from "@/lib/db";

interface Rules {
  maxAttempts: number;
  backoff: Backoff;
}

/**
 * Stores what a call came to and queues what follows from it, in one transaction with the removal of its job: it counts wholly or not
 * at all, and once. Throws `JobLost` when another worker has the job by now.
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
  if (job.isSuspect) await forgive(db, runId);
  const fault = limitBroken(job, finished);
  if (fault) return failRun(db, runId, fault);
  await memoise(db, runId, finished);
  switch (next.do) {
    case "complete":
      await db.query("update job_runs set state = 'completed', output = $2, finished_at = now() where id = $1", [runId, next.output]);
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
