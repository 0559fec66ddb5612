import type { Pool, PoolClient } from "pg";

/** A connection in a transaction, or the pool for a statement that stands alone. */
export type Queryable = Pick<Pool | PoolClient, "query">;

/**
 * How often graphile-worker may take one job without progress. Only crashes count: a retry by Inngest's rules is a new
 * job.
 */
const MAX_TAKES = 25;

/** The last takes of a job do not run it: they fail its run, and are so many in case one of them crashes. */
const TAKES_TO_FAIL = 5;

/** Short jobs that start, cancel or wake runs go first, so that long ones do not delay them on a busy worker. */
const PRIORITY: Record<keyof Tasks, number> = { "dispatch-events": -10, "wake-run": -10, "run-function": 0 };

/** The payload of each task. */
export interface Tasks {
  "dispatch-events": Record<string, never>;
  "run-function": RunRequest;
  "wake-run": { run_id: string; step: string };
}

/** One call of a function: to find its next steps (`step` is "step"), or to run the planned step of that id. */
export interface RunRequest {
  run_id: string;
  step: string;
  /** Counts from 0 for each step. */
  attempt: number;
}

interface When {
  /** Jobs of one queue run one after another. */
  queue?: string | null;
  delayMs?: number;
}

/** Adds a job to the queue in the caller's transaction, so that it appears together with the state that needs it. */
export async function addJob<Task extends keyof Tasks>(
  db: Queryable,
  task: Task,
  payload: Tasks[Task],
  when: When = {},
): Promise<void> {
  await db.query({
    name: "jobs-add",
    text: `select graphile_worker.add_job($1, $2::json, queue_name => $3,
      run_at => now() + $4 * interval '1 millisecond', max_attempts => $5, priority => $6)`,
    values: [task, JSON.stringify(payload), when.queue ?? null, when.delayMs ?? 0, MAX_TAKES, PRIORITY[task]],
  });
}

/** A job that a worker has taken from the queue. */
export interface TakenJob {
  id: string;
  /** The id of the worker that has locked it. */
  holder: string;
  /** How often a worker has taken it, this time included. It tells this take from a later one by the same worker. */
  takes: number;
  /** How often it may still be taken. */
  takesLeft: number;
}

/** A job taken so often kills its process each time, or its function no longer exists: its run fails. */
export function isTakenInVain({ takesLeft }: TakenJob): boolean {
  return takesLeft < TAKES_TO_FAIL;
}

/** The job was taken again, because its worker seemed dead. What this take knows of the run is stale. */
class JobLost extends Error {
  override readonly name = "JobLost";
}

/**
 * Removes a job in the transaction that settles it, if this take still holds it; throws `JobLost` otherwise.
 * graphile-worker would remove it later and unconditionally, so that a crash in between could settle it twice.
 */
export async function finishJob(db: Queryable, job: TakenJob): Promise<void> {
  const { rowCount } = await db.query({
    name: "jobs-finish",
    text: `with done as (
             delete from graphile_worker._private_jobs where id = $1 and locked_by = $2 and attempts = $3
             returning job_queue_id
           ), freed as (
             update graphile_worker._private_job_queues q set locked_by = null, locked_at = null
             from done where q.id = done.job_queue_id and q.locked_by = $2
           )
           select 1 from done`,
    values: [job.id, job.holder, job.takes],
  });
  if (rowCount === 0) throw new JobLost(`Take ${job.takes} of job ${job.id} by ${job.holder} has ended.`);
}

/** Returns all jobs of `holder` to the queue and wakes the workers. */
export async function releaseJobs(db: Queryable, holder: string): Promise<void> {
  await db.query(`select graphile_worker.force_unlock_workers(array[$1]), pg_notify('jobs:insert', '{"count":100}')`, [
    holder,
  ]);
}
