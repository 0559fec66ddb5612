import { WORKER_LOCK } from "@/inngest/engine/queue/worker-lock";
import { transaction } from "@/lib/database/db";

/**
 * The ids of dead workers that still hold jobs. Whoever releases the jobs of a worker holds its advisory lock until the
 * commit, so two processes never release the same one.
 */
export const FIND_DEAD = `
  with holder as (
    select locked_by from graphile_worker._private_jobs where locked_by is not null
    union
    select locked_by from graphile_worker._private_job_queues where locked_by is not null
  )
  select locked_by as id from holder where locked_by <> $1
    and pg_try_advisory_xact_lock(hashtextextended($2 || locked_by, 0))`;

/**
 * Any job that a worker was running may have killed it. Isolated jobs are not counted here: their own process is
 * watched (isolate.ts).
 */
const COUNT_DEATHS = `
  update job_runs r set deaths = deaths + 1, in_vain = in_vain + 1
  from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
  where j.locked_by = any($1) and t.identifier = 'run-function' and r.id = (j.payload->>'run_id')::uuid
    and not r.alone`;

/**
 * Returns the jobs of dead workers to the queue and returns the workers' ids. A live worker holds an advisory lock in
 * its own name (worker-lock.ts), so a worker whose lock can be taken is dead, unless the connections of all have just
 * ended. Then it may hold jobs that it knows nothing of, or cannot end yet, so they are released as well, but
 * `areDead` is false: no death is counted against them. graphile-worker alone would wait four hours.
 */
export function releaseDeadWorkers(self: string, areDead: boolean): Promise<string[]> {
  return transaction(async (db) => {
    const { rows } = await db.query<{ id: string }>(FIND_DEAD, [self, WORKER_LOCK]);
    const dead = rows.map(({ id }) => id);
    if (dead.length === 0) return dead;
    if (areDead) await db.query(COUNT_DEATHS, [dead]);
    await db.query(`select graphile_worker.force_unlock_workers($1), pg_notify('jobs:insert', '{"count":100}')`, [
      dead,
    ]);
    return dead;
  });
}
