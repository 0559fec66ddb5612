import { transaction } from "@/lib/db";
import { DELETE_BATCH, deleteInBatches } from "@/lib/delete-in-batches";

const KEEP_DAYS = 7;

/** Each deletes one batch; `$1` is the number of days to keep. Steps go with their run. */
const OLD_ROWS = [
  `delete from job_runs where id in (select id from job_runs where finished_at < now() - $1 * interval '1 day' limit ${DELETE_BATCH})`,
  `delete from job_events where id in (
     select id from job_events e where created_at < now() - $1 * interval '1 day' and dispatched_at is not null
     and not exists (select 1 from job_runs r where r.event_id = e.id) limit ${DELETE_BATCH})`,
];

/** Forgets what finished more than a week ago. The id of a forgotten event may be used again. */
export async function purgeJobs(keepDays: number = KEEP_DAYS): Promise<void> {
  for (const statement of OLD_ROWS) await deleteInBatches(statement, [keepDays]);
  await removeIdleQueues();
}

/**
 * Queues are made per concurrency key, and every look for work visits the idle ones too. The lock waits for jobs that are just being
 * added, which could otherwise end up in a queue that is gone and never run.
 */
async function removeIdleQueues(): Promise<void> {
  await transaction(async (db) => {
    await db.query("lock table graphile_worker._private_job_queues in share row exclusive mode");
    await db.query(
      `delete from graphile_worker._private_job_queues q where locked_at is null
       and not exists (select 1 from graphile_worker._private_jobs j where j.job_queue_id = q.id)`,
    );
  });
}
