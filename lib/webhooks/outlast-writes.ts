import { setTimeout as delay } from "node:timers/promises";

import { pool } from "@/lib/db";

/** For longer no request waits for others: an import's page may take minutes. */
const PATIENCE_MS = 3000;
const BETWEEN_LOOKS_MS = 25;

const BEGUN = "SELECT pg_current_xact_id()::text AS last";
/** $1: a transaction. Whether it and all that began to write before it have ended. */
const ENDED = "SELECT pg_snapshot_xmin(pg_current_snapshot()) > $1::xid8 AS ended";

/** Waits until what is being written at this moment is there to be seen or undone, for three seconds at most. */
export async function outlastWrites(): Promise<void> {
  const until = Date.now() + PATIENCE_MS;
  const begun = await pool().query<{ last: string }>(BEGUN);
  const last = begun.rows[0]?.last;
  while (Date.now() < until) {
    const { rows } = await pool().query<{ ended: boolean }>(ENDED, [last]);
    if (rows[0]?.ended) return;
    await delay(BETWEEN_LOOKS_MS);
  }
}
