import type { Queryable } from "@/inngest/engine/queue/database";

/** The job was taken from this process, which was thought dead: whatever it has still to say about the run is stale. */
class JobLost extends Error {
  override readonly name = "JobLost";
}

/**
 * Removes a job in the transaction that settles it, if `holder` still holds it; throws `JobLost` otherwise. graphile-worker would
 * remove it afterwards and without asking, so a crash between the two could settle it twice.
 */
export async function finishJob(db: Queryable, job: { id: string; holder: string }): Promise<void> {
  const { rowCount } = await db.query({
    name: "jobs-finish",
    text: `with done as (
             delete from graphile_worker._private_jobs where id = $1 and locked_by = $2 returning job_queue_id
           ), freed as (
             update graphile_worker._private_job_queues q set locked_by = null, locked_at = null
             from done where q.id = done.job_queue_id and q.locked_by = $2
           )
           select 1 from done`,
    values: [job.id, job.holder],
  });
  if (rowCount === 0) throw new JobLost(`Job ${job.id} is no longer held by ${job.holder}.`);
}
