import type { Pool, PoolClient } from "pg";

import type { ResourceName } from "@/lib/records/schema/resources";

/** Those of the source ids whose records are here, by themselves or as a part of another one. */
export async function findHere(
  db: Pool | PoolClient,
  organizationId: string,
  resource: ResourceName,
  extIds: readonly unknown[],
): Promise<Set<string>> {
  if (extIds.length === 0) return new Set();
  const { rows } = await db.query<{ ext_id: string }>(
    `SELECT ext_id FROM ${resource} WHERE organization_id = $1 AND ext_id = ANY ($2::text[])
     UNION ALL SELECT ext_id FROM ext_aliases
     WHERE organization_id = $1 AND ext_id = ANY ($2::text[]) AND entity = '${resource}'`,
    [organizationId, [...new Set(extIds)]],
  );
  return new Set(rows.map(({ ext_id }) => ext_id));
}

/** The source ids that have a record of their own: not those merged into another record. */
export async function findUnmerged(
  db: Pool | PoolClient,
  organizationId: string,
  resource: ResourceName,
  extIds: readonly string[],
): Promise<Set<string>> {
  if (extIds.length === 0) return new Set();
  const { rows } = await db.query<{ ext_id: string }>(
    `SELECT ext_id FROM ${resource} WHERE organization_id = $1 AND ext_id = ANY ($2::text[])`,
    [organizationId, extIds],
  );
  return new Set(rows.map(({ ext_id }) => ext_id));
}
