import type { JobError } from "@/inngest/engine/answer";
import { storeEvents } from "@/inngest/engine/events";
import type { Queryable, RunRequest, TakenJob } from "@/inngest/engine/queue/jobs";
import { pool } from "@/lib/database/db";
import { newId } from "@/lib/ids";
import { log } from "@/lib/log";

/** After so many deaths a run stays isolated, even if it makes progress: it would go on killing shared workers. */
const MAX_SHARED_DEATHS = 3;

const IS_SUSPECT = `(in_vain > 0 or deaths >= ${MAX_SHARED_DEATHS})`;

/** A run, with everything that a call of its function needs. */
export interface Run {
  id: string;
  functionId: string;
  queue: string | null;
  /** The event, as JSON. */
  event: string;
  /** Finished steps in the order in which they finished, values as JSON. */
  steps: { id: string; value: string }[];
  /** Whether the run may have killed a process. */
  isSuspect: boolean;
}

/**
 * Reads an unfinished run and marks it as running; one that is not suspect also as not isolated. Undefined when it has
 * finished or was cancelled.
 */
export async function loadRun(id: string): Promise<Run | undefined> {
  const { rows } = await pool().query<{
    function_id: string;
    queue: string | null;
    is_suspect: boolean;
    body: string;
    ids: string[];
    values: string[];
  }>({
    name: "jobs-load-run",
    text: `with run as (
             update job_runs
             set state = 'running', started_at = coalesce(started_at, now()), alone = alone and ${IS_SUSPECT}
             where id = $1 and state in ('queued', 'running')
             returning id, function_id, event_id, queue, ${IS_SUSPECT} as is_suspect
           )
           select run.function_id, run.queue, run.is_suspect, e.body, s.ids, s.values
           from run join job_events e on e.id = run.event_id, lateral (
             select coalesce(array_agg(id order by position), '{}') as ids,
               coalesce(array_agg(value order by position), '{}') as values
             from job_steps where run_id = run.id
           ) s`,
    values: [id],
  });
  const row = rows[0];
  if (!row) return undefined;
  const steps = row.ids.map((stepId, index) => ({ id: stepId, value: row.values[index] ?? "null" }));
  return { id, functionId: row.function_id, queue: row.queue, event: row.body, steps, isSuspect: row.is_suspect };
}

/** Ends a run as failed and sends `inngest/function.failed`, which starts the function's onFailure handler. */
export async function failRun(db: Queryable, runId: string, error: JobError): Promise<void> {
  const { rows } = await db.query<{ function_id: string; body: string }>({
    name: "jobs-fail-run",
    text: `update job_runs r set state = 'failed', error = $2, planned = '{}', finished_at = now()
           from job_events e where e.id = r.event_id and r.id = $1 and r.state in ('queued', 'running')
           returning r.function_id, e.body`,
    values: [runId, JSON.stringify(error)],
  });
  const run = rows[0];
  if (!run) return;
  log.error({ run_id: runId, function_id: run.function_id, err: error }, "job failed");
  const data = { function_id: run.function_id, run_id: runId, error, event: JSON.parse(run.body) as unknown };
  await storeEvents(db, [{ id: newId(), name: "inngest/function.failed", data, ts: Date.now() }]);
}

/** A job that this process runs. Everything written for it checks that the process still holds the job. */
export interface HeldJob extends TakenJob {
  queue: string | null;
  functionId: string;
  request: RunRequest;
  /** When this process took it, by `performance.now()`. */
  takenAt: number;
  /** How many steps the run has stored, and their bytes. */
  steps: number;
  bytes: number;
  /** Aborted when the worker stops: the next checkpoint hands the run over to another worker. */
  stopping: AbortSignal;
  /** Whether the run may have killed a process. Progress clears that. */
  isSuspect: boolean;
  /** Set by the checkpoint that ends the call: the run goes on in another job, or is not to go on any more. */
  endedAs?: "continue" | "cancelled";
}

const heldJobs = new Map<string, HeldJob>();

/** The key by which the SDK's checkpoints name the job (`qi_id`). */
export function heldJobKey({ id, holder, takes }: TakenJob): string {
  return `${holder}/${id}/${takes}`;
}

export function findHeldJob(key: string): HeldJob | undefined {
  return heldJobs.get(key);
}

/** graphile-worker gives a job to whoever asks next once it has been locked for four hours. */
const STUCK_MS = 3 * 3_600_000;

/**
 * The jobs that separate processes run (isolate.ts), in the order in which they started: job id → what aborts it, which
 * makes its run yield.
 */
export const isolated = new Map<string, AbortController>();

/** Whether an earlier take of a job has been running in this process for hours, or still runs in a separate one. */
export function isStuck({ id }: TakenJob): boolean {
  if (isolated.has(id)) return true;
  return [...heldJobs.values()].some((job) => job.id === id && performance.now() - job.takenAt >= STUCK_MS);
}

/** Runs `work`; meanwhile {@link findHeldJob} finds the job. */
export async function whileHolding<T>(job: HeldJob, work: () => Promise<T>): Promise<T> {
  heldJobs.set(heldJobKey(job), job);
  try {
    return await work();
  } finally {
    heldJobs.delete(heldJobKey(job));
  }
}
