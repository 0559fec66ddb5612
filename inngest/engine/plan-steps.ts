import type { PlannedStep } from "@/inngest/engine/answer";
import type { HeldJob } from "@/inngest/engine/held-jobs";
import { addJob } from "@/inngest/engine/queue/add-job";
import type { Queryable } from "@/inngest/engine/queue/database";

/** Queues steps that a function found at the same time, each as a job of its own. The function is called again when all have finished. */
export async function planSteps(db: Queryable, job: HeldJob, planned: readonly PlannedStep[]): Promise<void> {
  const runId = job.request.run_id;
  await db.query("update job_runs set planned = $2 where id = $1", [runId, planned.map((step) => step.id)]);
  for (const { id, waitMs } of planned) {
    if (waitMs === null) await addJob(db, "run-function", { run_id: runId, step: id, attempt: 0 }, { queue: job.queue });
    else await addJob(db, "wake-run", { run_id: runId, step: id }, { delayMs: waitMs });
  }
}
