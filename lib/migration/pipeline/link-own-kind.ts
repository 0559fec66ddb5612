import type { PoolClient } from "pg";

import type { ShapePlan } from "@/lib/migration/pipeline/plan";
import { eventIdsFor, sendTold, tellingPart, WEBHOOKS_TOLD } from "@/lib/migration/pipeline/tell-imported";

/** How many links are told by one statement. */
const BATCH = 2000;

type OwnKind = ShapePlan["ownKind"][number];

/**
 * Links records to records of their own kind that were not there yet when they came: an account to its parent account. Until then the
 * source's id waits in `custom_fields`; where its record never comes, it stays there. This belongs to the import: versions stay. With `tells` the
 * links are told, since what was told of the records before lacks them.
 */
export async function linkOwnKind(client: PoolClient, plan: ShapePlan, organizationId: string, tells: boolean): Promise<void> {
  for (const own of plan.ownKind) {
    if (tells) await linkAndTell(client, plan, own, organizationId);
    else await client.query(linkText(plan, own), [organizationId, own.source]);
  }
}

/** $1: the organization, $2: the source field. */
function linkText({ shape: { resource } }: ShapePlan, { column }: OwnKind): string {
  return `UPDATE ${resource} AS r SET ${column} = parent.id, custom_fields = r.custom_fields - $2::text
       FROM ${resource} AS parent
       WHERE ${unlinked(column)}
         AND parent.organization_id = $1 AND parent.ext_id = r.custom_fields ->> $2::text`;
}

function unlinked(column: string): string {
  return `r.organization_id = $1 AND r.${column} IS NULL AND r.custom_fields ? $2::text AND r.ext_id IS NOT NULL`;
}

/** $4: which records. */
async function linkAndTell(client: PoolClient, plan: ShapePlan, own: OwnKind, organizationId: string): Promise<void> {
  const { resource } = plan.shape;
  const text = `WITH stored AS (
    ${linkText(plan, own)} AND r.ext_id = ANY ($4::text[])
    RETURNING r.*, false AS inserted
  ), ${tellingPart(resource)}
  SELECT ${WEBHOOKS_TOLD}`;
  const waiting = `SELECT r.ext_id FROM ${resource} r WHERE ${unlinked(own.column)} ORDER BY r.id FOR NO KEY UPDATE`;
  const found = await client.query<{ ext_id: string }>(waiting, [organizationId, own.source]);
  const extIds = found.rows.map(({ ext_id }) => ext_id);
  for (let start = 0; start < extIds.length; start += BATCH) {
    const batch = extIds.slice(start, start + BATCH);
    const { rows } = await client.query<{ webhooks: string[] }>(text, [organizationId, own.source, eventIdsFor(batch), batch]);
    sendTold(client, organizationId, rows[0]);
  }
}
