import type { FunctionDefinition } from "@/inngest/engine/function-definition";
import type { Queryable } from "@/inngest/engine/queue/database";
import type { JobEvent } from "@/inngest/engine/store-events";

/** Cancels the unfinished runs of a function that an event cancels (`cancelOn`). A step under way ends first; its result is dropped. */
export async function cancelRuns(db: Queryable, definition: FunctionDefinition, event: JobEvent): Promise<void> {
  const rules = definition.cancels.filter((rule) => rule.event === event.name);
  if (rules.length === 0) return;
  const { rows } = await db.query<{ id: string; body: string }>(
    `select r.id, e.body from job_runs r join job_events e on e.id = r.event_id where r.function_id = $1 and r.state in ('queued', 'running')`,
    [definition.id],
  );
  const cancelled = rows.filter((run) => rules.some((rule) => rule.holds({ event: JSON.parse(run.body), async: event })));
  if (cancelled.length === 0) return;
  await db.query(
    `update job_runs set state = 'cancelled', planned = '{}', finished_at = now() where id = any($1) and state in ('queued', 'running')`,
    [cancelled.map((run) => run.id)],
  );
}
