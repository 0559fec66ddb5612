import { DELETE_BATCH_SIZE, deleteInBatches, forEachOrganization } from "@/lib/database/housekeeping";
import { acrossOrganizations } from "@/lib/database/organization-scope";
import { RESTORABLE_DAYS } from "@/lib/records/delete/delete-record";
import { EVENT_DAYS } from "@/lib/records/events/events-page";

/**
 * One batch of what can be restored no longer. The stages that an opportunity went through go with it, unless it is
 * here again.
 */
const DELETE_EXPIRED_RECORDS = `
  WITH gone AS (
    DELETE FROM deleted_records WHERE ctid IN (
      SELECT ctid FROM deleted_records WHERE deleted_at <= now() - $1 * interval '1 day' LIMIT ${DELETE_BATCH_SIZE})
    RETURNING organization_id, resource, id
  ), histories AS (
    DELETE FROM opportunity_stage_changes c USING gone
    WHERE gone.resource = 'opportunities' AND c.organization_id = gone.organization_id AND c.opportunity_id = gone.id
      AND NOT EXISTS (SELECT FROM opportunities o WHERE o.organization_id = gone.organization_id AND o.id = gone.id)
      AND NOT EXISTS (
        SELECT FROM deleted_records d WHERE d.organization_id = gone.organization_id AND d.resource = 'opportunities' AND d.id = gone.id
          AND d.deleted_at > now() - $1 * interval '1 day')
  )
  SELECT FROM gone`;

/** Forgets deleted records that can be restored no longer, for good. Gives how many. */
export function purgeDeleted(): Promise<number> {
  return acrossOrganizations(() => deleteInBatches(DELETE_EXPIRED_RECORDS, [RESTORABLE_DAYS]));
}

/**
 * The order of events is not quite that of their times: a day more keeps every event that a cursor within the promised
 * days leads to.
 */
const PURGE_AFTER_DAYS = EVENT_DAYS + 1;

const DELETE_EXPIRED_EVENTS = `
  DELETE FROM events WHERE ctid IN (
    SELECT ctid FROM events WHERE organization_id = $1 AND created_at < now() - $2 * interval '1 day' LIMIT ${DELETE_BATCH_SIZE})`;

/** Forgets events that nobody is promised any more. Gives how many. */
export async function purgeEvents(): Promise<number> {
  let total = 0;
  await forEachOrganization(
    async (id) => void (total += await deleteInBatches(DELETE_EXPIRED_EVENTS, [id, PURGE_AFTER_DAYS])),
  );
  return total;
}
