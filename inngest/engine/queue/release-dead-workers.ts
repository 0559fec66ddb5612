import type { Queryable } from "@/inngest/engine/queue/database";
import { WORKER_LOCK } from "@/inngest/engine/worker-lock";

/**
 * Gives back the jobs of workers that died, and returns their ids. A live worker holds an advisory lock in its own name
 * (worker-lock.ts); whoever can take that lock knows that the worker is gone. graphile-worker alone would wait four hours.
 */
export async function releaseDeadWorkers(db: Queryable, self: string): Promise<string[]> {
  const { rows } = await db.query<{ dead: string[] }>(
    `with holder as (
       select locked_by from graphile_worker._private_jobs where locked_by is not null
       union
       select locked_by from graphile_worker._private_job_queues where locked_by is not null
     ), dead as (
       select array_agg(locked_by) as ids from holder
       where locked_by <> $1 and pg_try_advisory_xact_lock(hashtextextended($2 || locked_by, 0))
     )
     select ids as dead, graphile_worker.force_unlock_workers(ids), pg_notify('jobs:insert', '{"count":100}') from dead where ids is not null`,
    [self, WORKER_LOCK],
  );
  return rows[0]?.dead ?? [];
}
