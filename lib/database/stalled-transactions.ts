import { APPLICATION_NAME, pool } from "@/lib/database/db";
import { log } from "@/lib/log";

const STALLED_MS = 60_000;

/**
 * Connections of the service whose process has stopped in the middle of a message: PostgreSQL waits for the rest of it
 * (or for its answer to be read), and none of its timeouts ends such a wait. They apply to statements that run, and to
 * transactions between two statements. $1: the application, $2: milliseconds.
 */
const END_STALLED = `
  SELECT pid, pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND usename = session_user AND application_name = $1 AND pid <> pg_backend_pid()
    AND state = 'active' AND wait_event_type = 'Client' AND xact_start IS NOT NULL
    AND query_start < now() - $2 * interval '1 millisecond'`;

/**
 * Ends the transactions whose process has been frozen, or whose machine has vanished, while it sent a statement or read
 * an answer. They would hold their locks, and the events feed of every organization, for as long as the connection
 * seems open. Returns how many.
 */
export async function endStalledTransactions(stalledMs = STALLED_MS): Promise<number> {
  const { rows } = await pool().query<{ pid: number }>(END_STALLED, [APPLICATION_NAME, stalledMs]);
  if (rows.length > 0) log.warn({ pids: rows.map(({ pid }) => pid) }, "ended transactions of stopped processes");
  return rows.length;
}
