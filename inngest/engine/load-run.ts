import { pool } from "@/lib/db";

/** A run with everything that a call of its function needs. */
export interface Run {
  id: string;
  functionId: string;
  queue: string | null;
  /** The event, as JSON. */
  event: string;
  /** Finished steps in the order in which they finished, values as JSON. */
  steps: { id: string; value: string }[];
}

/** Reads an unfinished run and marks it as running. Undefined when it has finished or was cancelled. */
export async function loadRun(id: string): Promise<Run | undefined> {
  const { rows } = await pool().query<{ function_id: string; queue: string | null; body: string; ids: string[]; values: string[] }>({
    name: "jobs-load-run",
    text: `with run as (
             update job_runs set state = 'running', started_at = coalesce(started_at, now())
             where id = $1 and state in ('queued', 'running') returning id, function_id, event_id, queue
           )
           select run.function_id, run.queue, e.body, s.ids, s.values
           from run join job_events e on e.id = run.event_id, lateral (
             select coalesce(array_agg(id order by position), '{}') as ids, coalesce(array_agg(value order by position), '{}') as values
             from job_steps where run_id = run.id
           ) s`,
    values: [id],
  });
  const row = rows[0];
  if (!row) return undefined;
  const steps = row.ids.map((stepId, index) => ({ id: stepId, value: row.values[index] ?? "null" }));
  return { id, functionId: row.function_id, queue: row.queue, event: row.body, steps };
}
