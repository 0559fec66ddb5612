import { pool } from "@/lib/database/db";
import { DELETE_BATCH_SIZE, deleteInBatches, forEachOrganization } from "@/lib/database/housekeeping";
import { MIN_UUID, minIdAt } from "@/lib/ids";
import { RESTORABLE_DAYS, RESTORABLE_INTERVAL } from "@/lib/records/delete/delete-record";
import { PURGE_AFTER_DAYS } from "@/lib/records/events/events-page";
import { recordExists } from "@/lib/records/schema/resources";

/**
 * SQL: whether an undo would restore the record of the deletion `d` with what belonged to it. OFFSET keeps PostgreSQL
 * from joining all changes: it looks each deletion up by its key.
 */
const IS_UNDOABLE = `EXISTS (
  SELECT FROM migration_changes c
  WHERE c.organization_id = $1 AND c.migration_id = d.migration_id AND c.resource = d.resource
    AND c.record_id = d.id AND c.version IS NULL OFFSET 0)`;

/**
 * One batch of an organization's expired deleted records, in the order of the primary key: below the id $2, behind the
 * key in $3 to $5. Those that an undo would restore are passed and stay. What belonged to another one goes with it,
 * unless the record is here again or another deletion of it can be taken back: an opportunity's history of stages, and
 * the links that waited for other records.
 */
export const DELETE_EXPIRED_RECORDS = `
  WITH batch AS MATERIALIZED (
    SELECT d.*, ${IS_UNDOABLE} AS is_undoable FROM (
      SELECT ctid, deletion_id, resource, id, migration_id FROM deleted_records
      WHERE organization_id = $1 AND deletion_id < $2 AND (deletion_id, resource, id) > ($3, $4, $5)
        AND deleted_at <= now() - ${RESTORABLE_INTERVAL}
      ORDER BY deletion_id, resource, id LIMIT ${DELETE_BATCH_SIZE}) d
  ), expired AS (
    DELETE FROM deleted_records
    WHERE organization_id = $1 AND ctid IN (SELECT ctid FROM batch WHERE NOT is_undoable)
    RETURNING deletion_id, resource, id
  ), gone AS (
    SELECT * FROM expired e WHERE NOT ${recordExists("e.resource", "e.id")} AND NOT EXISTS (
      SELECT FROM deleted_records d
      WHERE d.organization_id = $1 AND d.resource = e.resource AND d.id = e.id
        AND (d.deleted_at > now() - ${RESTORABLE_INTERVAL} OR ${IS_UNDOABLE}))
  ), histories AS (
    DELETE FROM opportunity_stage_changes c USING gone
    WHERE gone.resource = 'opportunities' AND c.organization_id = $1 AND c.opportunity_id = gone.id
  ), links AS (
    DELETE FROM waiting_links w USING gone
    WHERE w.organization_id = $1 AND w.resource = gone.resource AND w.record_id = gone.id
  )
  SELECT deletion_id, resource, id, expired.id IS NOT NULL AS is_purged
  FROM batch LEFT JOIN expired USING (deletion_id, resource, id) ORDER BY deletion_id, resource, id`;

interface BatchRow {
  deletion_id: string;
  resource: string;
  id: string;
  is_purged: boolean;
}

/**
 * Deletes an organization's expired deleted records, batch by batch, and yields those of each. The id of a deletion is
 * its time, by the clock of another process: a day's difference is allowed for.
 */
async function* deleteExpired(organizationId: string): AsyncGenerator<PurgedRecord[]> {
  const before = minIdAt(new Date(Date.now() - (RESTORABLE_DAYS - 1) * 24 * 3_600_000));
  let after = [MIN_UUID, "", MIN_UUID];
  for (;;) {
    const { rows } = await pool().query<BatchRow>(DELETE_EXPIRED_RECORDS, [organizationId, before, ...after]);
    yield rows.filter((row) => row.is_purged).map(({ id }) => ({ organization_id: organizationId, id }));
    const last = rows.at(-1);
    if (!last || rows.length < DELETE_BATCH_SIZE) return;
    after = [last.deletion_id, last.resource, last.id];
  }
}

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
  await forEachOrganization(async (organizationId) => {
    for await (const purged of deleteExpired(organizationId)) {
      total += purged.length;
      if (failures.length === 0) await purgeOf(purged, deadline).catch((error: unknown) => failures.push(error));
    }
  });
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
