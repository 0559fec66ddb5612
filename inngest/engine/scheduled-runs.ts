import { parseCronItem, type ParsedCronItem } from "graphile-worker";

import { createRun } from "@/inngest/engine/create-run";
import type { FunctionDefinition } from "@/inngest/engine/function-definition";
import { finishJob } from "@/inngest/engine/queue/finish-job";
import type { JobEvent } from "@/inngest/engine/store-events";
import { transaction } from "@/lib/db";

export interface ScheduledStart {
  function_id: string;
  cron: string;
  /** The minute for which it was scheduled, added by graphile-worker. */
  _cron: { ts: string };
}

/** The cron triggers of functions, for graphile-worker's scheduler, which queues one job per minute that matches, whatever the number of workers. */
export function cronItems(definitions: Iterable<FunctionDefinition>): ParsedCronItem[] {
  return [...definitions].flatMap(({ id, crons }) =>
    crons.map((cron, index) =>
      parseCronItem({ task: "start-scheduled", match: cron, identifier: `${id}:${index}`, payload: { function_id: id, cron } }, `the function ${id}`),
    ),
  );
}

/** Starts a function that is due. The event's id names the minute, so that no minute counts twice. */
export async function startScheduled(
  job: { id: string; holder: string },
  definition: FunctionDefinition,
  { cron, _cron: { ts } }: ScheduledStart,
): Promise<void> {
  const event: JobEvent = {
    id: `${definition.id}:${cron}:${ts}`,
    name: "inngest/scheduled.timer",
    data: { cron },
    ts: Date.parse(ts),
  };
  await transaction(async (db) => {
    await finishJob(db, job);
    await db.query("insert into job_events (id, name, body, dispatched_at) values ($1, $2, $3, now()) on conflict (id) do nothing", [
      event.id,
      event.name,
      JSON.stringify(event),
    ]);
    await createRun(db, definition, event);
  });
}
