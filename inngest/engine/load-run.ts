import { pool } from "@/lib/db";

/** One that got on after each is left alone with it for good: to end a worker now and then would be the same to all others. */
const MOST_DEATHS_IN_COMPANY = 3;
const IS_SUSPECT = `(in_vain > 0 or deaths >= ${MOST_DEATHS_IN_COMPANY})`;

/** A run with everything that a call of its function needs. */
export interface Run {
  id: string;
  functionId: string;
  queue: string | null;
  /** The event, as JSON. */
  event: string;
  /** Finished steps in the order in which they finished, values as JSON. */
  steps: { id: string; value: string }[];
  /** Whether a process died while it carried the run out, and it may be what that died of. */
  isSuspect: boolean;
}

/** Reads an unfinished run and marks it as running, and as being in company unless it is suspect. Undefined when it has finished or was cancelled. */
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
             update job_runs set state = 'running', started_at = coalesce(started_at, now()), alone = alone and ${IS_SUSPECT}
             where id = $1 and state in ('queued', 'running') returning id, function_id, event_id, queue, ${IS_SUSPECT} as is_suspect
           )
           select run.function_id, run.queue, run.is_suspect, e.body, s.ids, s.values
           from run join job_events e on e.id = run.event_id, lateral (
             select coalesce(array_agg(id order by position), '{}') as ids, coalesce(array_agg(value order by position), '{}') as values
             from job_steps where run_id = run.id
           ) s`,
    values: [id],
  });
  const row = rows[0];
  if (!row) return undefined;
  const steps = row.ids.map((stepId, index) => ({ id: stepId, value: row.values[index] ?? "null" }));
  return { id, functionId: row.function_id, queue: row.queue, event: row.body, steps, isSuspect: row.is_suspect };
}
