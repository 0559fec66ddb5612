import type { JobError } from "@/inngest/engine/job-error";
import type { Queryable } from "@/inngest/engine/queue/database";
import { storeEvents } from "@/inngest/engine/store-events";
import { newId } from "@/lib/ids";
import { log } from "@/lib/log";

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
