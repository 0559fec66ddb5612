import { createHash } from "node:crypto";

import type { FunctionDefinition } from "@/inngest/engine/function-definition";
import { transaction } from "@/lib/database/db";
import { addJob, type Queryable } from "@/inngest/engine/queue/jobs";
import { newId } from "@/lib/ids";

/** An event as functions receive it. */
export interface JobEvent {
  id: string;
  name: string;
  data: unknown;
  ts: number;
  v?: string | undefined;
}

/**
 * Stores events and enqueues their dispatch, in the caller's transaction. An event with a known id is dropped. Any
 * process may store events: a worker finds out which functions they start.
 */
export async function storeEvents(db: Queryable, events: readonly JobEvent[]): Promise<void> {
  const rows = events.map((event) => ({ id: event.id, name: event.name, body: JSON.stringify(event) }));
  const { rowCount } = await db.query({
    name: "jobs-store-events",
    text: `insert into job_events (id, name, body)
           select id, name, body from json_to_recordset($1) as event (id text, name text, body text)
           on conflict (id) do nothing returning 1`,
    values: [JSON.stringify(rows)],
  });
  if (rowCount) await addJob(db, "dispatch-events", {});
}

const DISPATCH_BATCH = 100;

/** One dispatch at a time, in order of arrival: an event that cancels must not overtake the one that starts. */
const LOCK_DISPATCH = "select pg_advisory_xact_lock(hashtextextended('crm-job-dispatch', 0))";

/** Starts and cancels the runs that new events ask for. Each send enqueues a dispatch; the first one handles all. */
export async function dispatchEvents(definitions: Iterable<FunctionDefinition>): Promise<void> {
  const functions = [...definitions];
  await transaction(async (db) => {
    await db.query(LOCK_DISPATCH);
    const { rows } = await db.query<{ id: string; body: string }>({
      name: "jobs-arrived-events",
      text: `select id, body from job_events where dispatched_at is null order by position limit ${DISPATCH_BATCH}`,
    });
    if (rows.length === 0) return;
    for (const row of rows) await dispatch(db, functions, JSON.parse(row.body) as JobEvent);
    await db.query("update job_events set dispatched_at = now() where id = any($1)", [rows.map((row) => row.id)]);
    if (rows.length === DISPATCH_BATCH) await addJob(db, "dispatch-events", {});
  });
}

async function dispatch(db: Queryable, functions: readonly FunctionDefinition[], event: JobEvent): Promise<void> {
  for (const definition of functions) {
    await cancelRuns(db, definition, event);
    const starts = definition.triggers.some((trigger) => trigger.event === event.name && trigger.holds({ event }));
    if (starts) await createRun(db, definition, event);
  }
}

/** Starts a function for an event, once, however often it is called. */
export async function createRun(db: Queryable, definition: FunctionDefinition, event: JobEvent): Promise<void> {
  const id = newId();
  const queue = queueName(definition.queueOf(event));
  const { rowCount } = await db.query({
    name: "jobs-create-run",
    text: `insert into job_runs (id, function_id, event_id, queue) values ($1, $2, $3, $4)
      on conflict (function_id, event_id) do nothing`,
    values: [id, definition.id, event.id, queue],
  });
  if (rowCount) await addJob(db, "run-function", { run_id: id, step: "step", attempt: 0 }, { queue });
}

/** graphile-worker takes names of up to 128 characters; keys of events may be longer. */
function queueName(key: string | null): string | null {
  return key === null || key.length <= 128 ? key : createHash("sha256").update(key).digest("hex");
}

/** Cancels the unfinished runs that an event cancels (`cancelOn`). A running step ends first; its result is dropped. */
async function cancelRuns(db: Queryable, definition: FunctionDefinition, event: JobEvent): Promise<void> {
  const rules = definition.cancels.filter((rule) => rule.event === event.name);
  if (rules.length === 0) return;
  const { rows } = await db.query<{ id: string; body: string }>(
    `select r.id, e.body from job_runs r join job_events e on e.id = r.event_id where r.function_id = $1
      and r.state in ('queued', 'running')`,
    [definition.id],
  );
  const cancelled = rows.filter((run) =>
    rules.some((rule) => rule.holds({ event: JSON.parse(run.body), async: event })),
  );
  if (cancelled.length === 0) return;
  await db.query(
    `update job_runs set state = 'cancelled', planned = '{}', finished_at = now() where id = any($1)
      and state in ('queued', 'running')`,
    [cancelled.map((run) => run.id)],
  );
}
