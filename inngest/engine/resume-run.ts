import { addJob } from "@/inngest/engine/queue/add-job";
import type { Queryable } from "@/inngest/engine/queue/database";

/** Takes a finished step off the planned ones, and has the function called again when it was the last. */
export async function resumeRun(db: Queryable, runId: string, stepId: string): Promise<void> {
  const { rows } = await db.query<{ queue: string | null; left: number }>(
    `update job_runs set planned = array_remove(planned, $2) where id = $1 and state = 'running' returning queue, cardinality(planned) as left`,
    [runId, stepId],
  );
  if (rows[0]?.left === 0) await addJob(db, "run-function", { run_id: runId, step: "step", attempt: 0 }, { queue: rows[0].queue });
}
