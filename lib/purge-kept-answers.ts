import { DELETE_BATCH, deleteInBatches } from "@/lib/delete-in-batches";
import { acrossOrganizations } from "@/lib/organization-scope";

/** For how long a repeat with the same idempotency key gets the first answer. */
export const KEPT_HOURS = 24;

const FORGET = `
  DELETE FROM idempotency_keys WHERE ctid IN (
    SELECT ctid FROM idempotency_keys WHERE created_at < now() - $1 * interval '1 hour' LIMIT ${DELETE_BATCH} FOR UPDATE SKIP LOCKED)`;

/** Forgets answers that no repeat gets any more; they hold what clients have sent and read. Gives how many. */
export function purgeKeptAnswers(): Promise<number> {
  return acrossOrganizations(() => deleteInBatches(FORGET, [KEPT_HOURS]));
}
