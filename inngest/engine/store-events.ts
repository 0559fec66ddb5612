import { addJob } from "@/inngest/engine/queue/add-job";
import type { Queryable } from "@/inngest/engine/queue/database";

/** An event as functions receive it. */
export interface JobEvent {
  id: string;
  name: string;
  data: unknown;
  ts: number;
  v?: string | undefined;
}

/**
 * Stores events and asks for their dispatch, in the caller's transaction. An event whose id is known already is dropped. The process
 * that stores them need not know the functions: a worker finds out which ones an event starts.
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
