import { memoise } from "@/inngest/engine/memoise";
import { finishJob } from "@/inngest/engine/queue/finish-job";
import { resumeRun } from "@/inngest/engine/resume-run";
import { transaction } from "@/lib/db";

/** Ends a sleep: memoises it and lets the run go on. */
export async function wakeRun(job: { id: string; holder: string }, request: { run_id: string; step: string }): Promise<void> {
  await transaction(async (db) => {
    await finishJob(db, job);
    const { rows } = await db.query<{ state: string }>("select state from job_runs where id = $1 for update", [request.run_id]);
    if (rows[0]?.state !== "running") return;
    await memoise(db, request.run_id, [{ id: request.step, value: "null" }]);
    await resumeRun(db, request.run_id, request.step);
  });
}
