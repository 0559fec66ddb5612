import type { Queryable } from "@/inngest/engine/queue/database";

/** Gives back every job that `holder` holds, and wakes all workers. */
export async function releaseJobs(db: Queryable, holder: string): Promise<void> {
  await db.query(`select graphile_worker.force_unlock_workers(array[$1]), pg_notify('jobs:insert', '{"count":100}')`, [holder]);
}
