import { DatabaseError } from "pg";

import { pool } from "@/lib/db";

/** invalid_schema_name, undefined_function, undefined_table: what a statement meets before graphile-worker's schema is there, whole. */
const NOT_PREPARED = new Set(["3F000", "42883", "42P01"]);

/** Runs `work`, which writes to the queue. On a new database the first to do so may come before any worker: it sets the queue up. */
export async function withQueue(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof DatabaseError) || !NOT_PREPARED.has(error.code ?? "")) throw error;
    // Only loaded when it is needed: a process that merely sends events has no other use for graphile-worker.
    const { prepareJobs } = await import("@/inngest/engine/queue/prepare-jobs");
    await prepareJobs(pool());
    await work();
  }
}
