import type { Pool, PoolClient } from "pg";

/** A connection in a transaction, or the pool for a statement that stands alone. */
export type Queryable = Pick<Pool | PoolClient, "query">;

/**
 * Times that graphile-worker may take up one job. Only crashes use them up: a retry that Inngest's rules ask for is a
 * new job.
 */
const MAX_TAKES = 25;

/**
 * What moves runs on goes before what may take long, so that a busy worker still starts and cancels as soon as it has a
 * hand free.
 */
const PRIORITY: Record<keyof Tasks, number> = { "dispatch-events": -10, "wake-run": -10, "run-function": 0 };

/** What each task is told. */
export interface Tasks {
  "dispatch-events": Record<string, never>;
  "run-function": RunRequest;
  "wake-run": { run_id: string; step: string };
}

/** One call of a function: to find what comes next (`step` is "step"), or to run the planned step of that id. */
export interface RunRequest {
  run_id: string;
  step: string;
  /** Counts from 0 at every new step. */
  attempt: number;
}

interface When {
  /** Jobs of one queue run one after another. */
  queue?: string | null;
  delayMs?: number;
}

/** Puts a job into the queue, in the caller's transaction: it appears when the state that asks for it does. */
export async function addJob<Task extends keyof Tasks>(
  db: Queryable,
  task: Task,
  payload: Tasks[Task],
  when: When = {},
): Promise<void> {
  await db.query({
    name: "jobs-add",
    text: `select graphile_worker.add_job($1, $2::json, queue_name => $3, run_at => now() + $4 * interval '1 millisecond', max_attempts => $5, priority => $6)`,
    values: [task, JSON.stringify(payload), when.queue ?? null, when.delayMs ?? 0, MAX_TAKES, PRIORITY[task]],
  });
}

/** The job was taken from this process, which was thought dead: whatever it has still to say about the run is stale. */
class JobLost extends Error {
  override readonly name = "JobLost";
}

/**
 * Removes a job in the transaction that settles it, if `holder` still holds it; throws `JobLost` otherwise.
 * graphile-worker would remove it afterwards and without asking, so a crash between the two could settle it twice.
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

/** Gives back every job that `holder` holds, and wakes all workers. */
export async function releaseJobs(db: Queryable, holder: string): Promise<void> {
  await db.query(`select graphile_worker.force_unlock_workers(array[$1]), pg_notify('jobs:insert', '{"count":100}')`, [
    holder,
  ]);
}
