import { pool } from "@/lib/db";

const BATCH = 5000;

/** For how long a repeat with the same idempotency key gets the first answer. */
export const KEPT_HOURS = 24;

const FORGET = `
  DELETE FROM idempotency_keys WHERE ctid IN (
    SELECT ctid FROM idempotency_keys WHERE created_at < now() - $1 * interval '1 hour' LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`;

/** Forgets answers that no repeat gets any more; they hold what clients have sent and read. Gives how many. */
export async function purgeKeptAnswers(): Promise<number> {
  let total = 0;
  for (let gone = BATCH; gone === BATCH; total += gone) gone = (await pool().query(FORGET, [KEPT_HOURS])).rowCount ?? 0;
  return total;
}
