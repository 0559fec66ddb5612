import { cancelRuns } from "@/inngest/engine/cancel-runs";
import { createRun } from "@/inngest/engine/create-run";
import type { FunctionDefinition } from "@/inngest/engine/function-definition";
import { addJob } from "@/inngest/engine/queue/add-job";
import type { Queryable } from "@/inngest/engine/queue/database";
import type { JobEvent } from "@/inngest/engine/store-events";
import { transaction } from "@/lib/db";

const BATCH = 100;
/** Only one dispatch at a time, in order of arrival: an event that cancels must not overtake the one that starts. */
const ORDERED = "select pg_advisory_xact_lock(hashtextextended('crm-job-dispatch', 0))";

/** Starts and cancels what the events that have arrived ask for. Each send asks for a dispatch; the first one does the work of all. */
export async function dispatchEvents(definitions: Iterable<FunctionDefinition>): Promise<void> {
  const functions = [...definitions];
  await transaction(async (db) => {
    await db.query(ORDERED);
    const { rows } = await db.query<{ id: string; body: string }>({
      name: "jobs-arrived-events",
      text: `select id, body from job_events where dispatched_at is null order by position limit ${BATCH}`,
    });
    if (rows.length === 0) return;
    for (const row of rows) await dispatch(db, functions, JSON.parse(row.body) as JobEvent);
    await db.query("update job_events set dispatched_at = now() where id = any($1)", [rows.map((row) => row.id)]);
    if (rows.length === BATCH) await addJob(db, "dispatch-events", {});
  });
}

async function dispatch(db: Queryable, functions: readonly FunctionDefinition[], event: JobEvent): Promise<void> {
  for (const definition of functions) {
    await cancelRuns(db, definition, event);
    const starts = definition.triggers.some((trigger) => trigger.event === event.name && trigger.holds({ event }));
    if (starts) await createRun(db, definition, event);
  }
}
