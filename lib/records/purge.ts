import { pool } from "@/lib/database/db";
import { DELETE_BATCH_SIZE, deleteInBatches, forEachOrganization } from "@/lib/database/housekeeping";
import { acrossOrganizations } from "@/lib/database/organization-scope";
import { RESTORABLE_INTERVAL } from "@/lib/records/delete/delete-record";
import { PURGE_AFTER_DAYS } from "@/lib/records/events/events-page";

/**
 * One batch of expired deleted records. An opportunity's history of stages is deleted with it, unless the opportunity
 * exists again.
 */
const DELETE_EXPIRED_RECORDS = `
  WITH expired AS (
    DELETE FROM deleted_records WHERE ctid IN (
      SELECT ctid FROM deleted_records WHERE deleted_at <= now() - ${RESTORABLE_INTERVAL} LIMIT ${DELETE_BATCH_SIZE})
    RETURNING organization_id, resource, id
  ), histories AS (
    DELETE FROM opportunity_stage_changes c USING expired
    WHERE expired.resource = 'opportunities'
      AND c.organization_id = expired.organization_id AND c.opportunity_id = expired.id
      AND NOT EXISTS (
        SELECT FROM opportunities o WHERE o.organization_id = expired.organization_id AND o.id = expired.id)
      AND NOT EXISTS (
        SELECT FROM deleted_records d
        WHERE d.organization_id = expired.organization_id AND d.resource = 'opportunities' AND d.id = expired.id
          AND d.deleted_at > now() - ${RESTORABLE_INTERVAL})
  )
  SELECT organization_id, id FROM expired`;

interface PurgedRecord {
  organization_id: string;
  id: string;
}

/**
 * Deletes expired deleted records for good, and what belongs to them by `purgeOf`, batch by batch. Returns how many. A
 * failure of `purgeOf` is thrown at the end, so that records go even while it is impossible.
 */
export async function purgeDeleted(purgeOf: (records: readonly PurgedRecord[]) => Promise<void>): Promise<number> {
  const failures: unknown[] = [];
  let total = 0;
  for (;;) {
    const { rows } = await acrossOrganizations(() => pool().query<PurgedRecord>(DELETE_EXPIRED_RECORDS));
    total += rows.length;
    if (failures.length === 0) await purgeOf(rows).catch((error: unknown) => failures.push(error));
    if (rows.length < DELETE_BATCH_SIZE) break;
  }
  if (failures.length > 0) throw failures[0];
  return total;
}

const DELETE_EXPIRED_EVENTS = `
  DELETE FROM events WHERE ctid IN (
    SELECT ctid FROM events
    WHERE organization_id = $1 AND created_at < now() - $2 * interval '24 hours' LIMIT ${DELETE_BATCH_SIZE})`;

/** Deletes expired events. Returns how many. */
export async function purgeEvents(): Promise<number> {
  let total = 0;
  await forEachOrganization(
    async (id) => void (total += await deleteInBatches(DELETE_EXPIRED_EVENTS, [id, PURGE_AFTER_DAYS])),
  );
  return total;
}
