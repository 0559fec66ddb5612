import { createHash } from "node:crypto";

import type { FunctionDefinition } from "@/inngest/engine/function-definition";
import { addJob } from "@/inngest/engine/queue/add-job";
import type { Queryable } from "@/inngest/engine/queue/database";
import type { JobEvent } from "@/inngest/engine/store-events";
import { newId } from "@/lib/ids";

/** Starts a function for an event; once, however often it is asked. */
export async function createRun(db: Queryable, definition: FunctionDefinition, event: JobEvent): Promise<void> {
  const id = newId();
  const queue = queueName(definition.queueOf(event));
  const { rowCount } = await db.query({
    name: "jobs-create-run",
    text: `insert into job_runs (id, function_id, event_id, queue) values ($1, $2, $3, $4) on conflict (function_id, event_id) do nothing`,
    values: [id, definition.id, event.id, queue],
  });
  if (rowCount) await addJob(db, "run-function", { run_id: id, step: "step", attempt: 0 }, { queue });
}

/** graphile-worker takes names of up to 128 characters; keys come from events and may be longer. */
function queueName(key: string | null): string | null {
  return key === null || key.length <= 128 ? key : createHash("sha256").update(key).digest("hex");
}
