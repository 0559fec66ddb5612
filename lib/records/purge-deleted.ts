import { pool } from "@/lib/db";
import { acrossOrganizations } from "@/lib/organization-scope";
import { RESTORABLE_DAYS } from "@/lib/records/delete-record";

const BATCH = 5000;

/** One batch of what can be restored no longer. The stages that an opportunity went through go with it, unless it is here again. */
const FORGET = `
  WITH gone AS (
    DELETE FROM deleted_records WHERE ctid IN (
      SELECT ctid FROM deleted_records WHERE deleted_at <= now() - $1 * interval '1 day' LIMIT ${BATCH})
    RETURNING organization_id, resource, id
  ), histories AS (
    DELETE FROM opportunity_stage_changes c USING gone
    WHERE gone.resource = 'opportunities' AND c.organization_id = gone.organization_id AND c.opportunity_id = gone.id
      AND NOT EXISTS (SELECT FROM opportunities o WHERE o.organization_id = gone.organization_id AND o.id = gone.id)
      AND NOT EXISTS (
        SELECT FROM deleted_records d WHERE d.organization_id = gone.organization_id AND d.resource = 'opportunities' AND d.id = gone.id
          AND d.deleted_at > now() - $1 * interval '1 day')
  )
  SELECT count(*)::int AS gone FROM gone`;

/** Forgets deleted records that can be restored no longer, for good. Gives how many. */
export async function purgeDeleted(): Promise<number> {
  let total = 0;
  for (let gone = BATCH; gone === BATCH; total += gone) {
    const { rows } = await acrossOrganizations(() => pool().query<{ gone: number }>(FORGET, [RESTORABLE_DAYS]));
    gone = rows[0]?.gone ?? 0;
  }
  return total;
}
