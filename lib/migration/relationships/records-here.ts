import { pool } from "@/lib/database/db";
import { RESTORABLE_DAYS } from "@/lib/records/delete/delete-record";
import type { ResourceName } from "@/lib/records/schema/resources";
import { isSalesforceId } from "@/lib/salesforce/ids";

/** The Salesforce ids of records that were deleted here, which an import skips. */
export async function findDeletedHere(organizationId: string, resource: ResourceName): Promise<string[]> {
  const { rows } = await pool().query<{ ext_id: string }>(
    `SELECT DISTINCT d.ext_id FROM deleted_records d
     WHERE d.organization_id = $1 AND d.resource = $2 AND d.ext_id IS NOT NULL
       AND d.deleted_at > now() - $3 * interval '1 day'
       AND NOT EXISTS (SELECT FROM ${resource} r WHERE r.organization_id = $1 AND r.ext_id = d.ext_id)`,
    [organizationId, resource, RESTORABLE_DAYS],
  );
  // Records that no import has brought can have any external id.
  return rows.map(({ ext_id }) => ext_id).filter(isSalesforceId);
}
