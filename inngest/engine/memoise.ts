import type { FinishedStep } from "@/inngest/engine/answer";
import type { HeldJob } from "@/inngest/engine/held-jobs";
import type { Queryable } from "@/inngest/engine/queue/database";

/** Stores finished steps, each once: what is memoised already stays as it is. */
export async function memoise(db: Queryable, runId: string, finished: readonly FinishedStep[]): Promise<void> {
  if (finished.length === 0) return;
  await db.query({
    name: "jobs-memoise",
    text: `insert into job_steps (run_id, id, value)
           select $1, step.id, step.value from unnest($2::text[], $3::text[]) with ordinality as step (id, value, position) order by position
           on conflict (run_id, id) do nothing`,
    values: [runId, finished.map((step) => step.id), finished.map((step) => step.value)],
  });
}

/** Adds steps whose transaction is committed to what the run has stored. */
export function countSteps(job: HeldJob, finished: readonly FinishedStep[]): void {
  job.steps += finished.length;
  job.bytes += finished.reduce((sum, step) => sum + Buffer.byteLength(step.value), 0);
}
