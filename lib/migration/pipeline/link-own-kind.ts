import type { PoolClient } from "pg";

import type { ShapePlan } from "@/lib/migration/pipeline/plan";

/**
 * Links records to records of their own kind that were not there yet when they came: an account to its parent account. Until then the
 * source's id waits in `custom_fields`; where its record never comes, it stays there. This belongs to the import: versions stay.
 */
export async function linkOwnKind(client: PoolClient, plan: ShapePlan, organizationId: string): Promise<void> {
  const { resource } = plan.shape;
  for (const { column, source } of plan.ownKind) {
    await client.query(
      `UPDATE ${resource} AS r SET ${column} = parent.id, custom_fields = r.custom_fields - $2::text
       FROM ${resource} AS parent
       WHERE r.organization_id = $1 AND r.${column} IS NULL AND r.custom_fields ? $2::text AND r.ext_id IS NOT NULL
         AND parent.organization_id = $1 AND parent.ext_id = r.custom_fields ->> $2::text`,
      [organizationId, source],
    );
  }
}
