import { pool } from "@/lib/database/db";
import { DELETE_BATCH_SIZE, deleteInBatches, forEachOrganization } from "@/lib/database/housekeeping";
import { acrossOrganizations } from "@/lib/database/organization-scope";
import { RESTORABLE_INTERVAL } from "@/lib/records/delete/delete-record";
import { PURGE_AFTER_DAYS } from "@/lib/records/events/events-page";
import { RESOURCES } from "@/lib/records/schema/resources";

/**
 * SQL: whether an undo would restore the record of the deletion `d` with what belonged to it. OFFSET keeps PostgreSQL
 * from joining all changes: it looks each deletion up by its key.
 */
const IS_UNDOABLE = `EXISTS (
  SELECT FROM migration_changes c
  WHERE c.organization_id = d.organization_id AND c.migration_id = d.migration_id AND c.resource = d.resource
    AND c.record_id = d.id AND c.version IS NULL OFFSET 0)`;

/** SQL: whether the record of the deletion `e` is here again. */
const IS_HERE = `CASE e.resource ${RESOURCES.map(
  (resource) => `WHEN '${resource}' THEN EXISTS (
    SELECT FROM ${resource} r WHERE r.organization_id = e.organization_id AND r.id = e.id)`,
).join(" ")} END`;

/**
 * One batch of expired deleted records. What belonged to one goes with it, unless the record is here again or another
 * deletion of it can be taken back: an opportunity's history of stages, and the links that waited for other records.
 */
export const DELETE_EXPIRED_RECORDS = `
  WITH expired AS (
    DELETE FROM deleted_records WHERE ctid IN (
      SELECT ctid FROM deleted_records d
      WHERE deleted_at <= now() - ${RESTORABLE_INTERVAL} AND NOT ${IS_UNDOABLE} LIMIT ${DELETE_BATCH_SIZE})
    RETURNING organization_id, resource, id
  ), gone AS (
    SELECT * FROM expired e WHERE NOT ${IS_HERE} AND NOT EXISTS (
      SELECT FROM deleted_records d
      WHERE d.organization_id = e.organization_id AND d.resource = e.resource AND d.id = e.id
        AND (d.deleted_at > now() - ${RESTORABLE_INTERVAL} OR ${IS_UNDOABLE}))
  ), histories AS (
    DELETE FROM opportunity_stage_changes c USING gone
    WHERE gone.resource = 'opportunities'
      AND c.organization_id = gone.organization_id AND c.opportunity_id = gone.id
  ), links AS (
    DELETE FROM waiting_links w USING gone
    WHERE w.organization_id = gone.organization_id AND w.resource = gone.resource AND w.record_id = gone.id
  )
  SELECT organization_id, id FROM expired`;

interface PurgedRecord {
  organization_id: string;
  id: string;
}

/** All other purges wait for this one. */
const PURGE_OF_MS = 60_000;

/**
 * Deletes expired deleted records for good, and what belongs to them by `purgeOf`, batch by batch; that only until a
 * deadline. Returns how many. A failure of `purgeOf` is thrown at the end, so that records go even while it is
 * impossible.
 */
export async function purgeDeleted(
  purgeOf: (records: readonly PurgedRecord[], deadline: number) => Promise<void>,
): Promise<number> {
  const failures: unknown[] = [];
  const deadline = performance.now() + PURGE_OF_MS;
  let total = 0;
  for (;;) {
    const { rows } = await acrossOrganizations(() => pool().query<PurgedRecord>(DELETE_EXPIRED_RECORDS));
    total += rows.length;
    if (failures.length === 0) await purgeOf(rows, deadline).catch((error: unknown) => failures.push(error));
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
