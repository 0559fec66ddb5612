import { DELETE_BATCH_SIZE, deleteInBatches } from "@/lib/database/housekeeping";
import { acrossOrganizations } from "@/lib/database/organization-scope";

/** How long a repeated request with the same idempotency key gets the first response. */
export const IDEMPOTENCY_HOURS = 24;

const DELETE_EXPIRED_KEYS = `
  DELETE FROM idempotency_keys WHERE ctid IN (
    SELECT ctid FROM idempotency_keys WHERE created_at < now() - $1 * interval '1 hour'
    LIMIT ${DELETE_BATCH_SIZE} FOR UPDATE SKIP LOCKED)`;

/**
 * Deletes stored responses that no repeated request gets any more; they contain what clients sent and read. Returns how
 * many.
 */
export function purgeIdempotencyKeys(): Promise<number> {
  return acrossOrganizations(() => deleteInBatches(DELETE_EXPIRED_KEYS, [IDEMPOTENCY_HOURS]));
}
