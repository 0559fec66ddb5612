import { APPLICATION_NAME, pool } from "@/lib/database/db";
import { log } from "@/lib/log";

const STALLED_MS = 60_000;

/**
 * Connections of the service that wait for its process in the middle of a message: PostgreSQL waits for the rest of it
 * (or for its answer to be read), and none of its timeouts ends such a wait. They apply to statements that run, and to
 * transactions between two statements. $1: the application, $2: milliseconds.
 */
const FIND_WAITING = `
  SELECT pid || ' ' || query_start AS statement FROM pg_stat_activity
  WHERE datname = current_database() AND usename = session_user AND application_name = $1 AND pid <> pg_backend_pid()
    AND state = 'active' AND wait_event_type = 'Client' AND xact_start IS NOT NULL
    AND query_start < now() - $2 * interval '1 millisecond'`;

/** $1: statements that waited before, as {@link FIND_WAITING} gives them. */
const END = `
  SELECT pid, pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE pid || ' ' || query_start = ANY ($1) AND state = 'active' AND wait_event_type = 'Client'`;

/** What the last look found. One look alone may see a long statement while its answer is just being sent. */
let seen: string[] = [];

/**
 * Ends the transactions whose process has been frozen, or whose machine has vanished, while it sent a statement or read
 * an answer, once two calls have seen them. They would hold their locks, and the events feed of every organization, for
 * as long as the connection seems open. Returns how many.
 */
export async function endStalledTransactions(stalledMs = STALLED_MS): Promise<number> {
  const { rows: ended } = await pool().query<{ pid: number }>(END, [seen]);
  if (ended.length > 0) log.warn({ pids: ended.map(({ pid }) => pid) }, "ended transactions of stopped processes");
  const { rows } = await pool().query<{ statement: string }>(FIND_WAITING, [APPLICATION_NAME, stalledMs]);
  seen = rows.map(({ statement }) => statement);
  return ended.length;
}
