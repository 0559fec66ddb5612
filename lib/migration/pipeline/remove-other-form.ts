import type { PoolClient } from "pg";

import type { Plan, ShapePlan } from "@/lib/migration/pipeline/plan";

/**
 * Removes what an earlier run made of the same source records in the object's other shape: an e-mail that was put into a case since stands in
 * that case's thread alone, and no longer among the activities. One that could not be stored in its new shape keeps its old one.
 */
export async function removeOtherForm(client: PoolClient, plan: Plan, stored: ShapePlan, organizationId: string, extIds: string[]): Promise<void> {
  const other = stored === plan.main ? plan.otherwise : plan.main;
  if (!other) return;
  const [from, to] = [other.shape.resource, stored.shape.resource];
  await client.query(
    `WITH gone AS (
       DELETE FROM ${from} AS old WHERE old.organization_id = $1 AND old.ext_id = ANY($2::text[])
         AND EXISTS (SELECT 1 FROM ${to} AS now WHERE now.organization_id = $1 AND now.ext_id = old.ext_id)
       RETURNING old.id
     )
     DELETE FROM ext_aliases AS a USING gone WHERE a.organization_id = $1 AND a.record_id = gone.id AND a.entity = $3`,
    [organizationId, extIds, from],
  );
}
