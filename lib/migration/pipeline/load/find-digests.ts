import { pool } from "@/lib/database/db";
import { resourcesOf } from "@/lib/migration/objects/declaration";
import type { Plan } from "@/lib/migration/pipeline/map/plan";

type Digests = Record<string, string>;

/**
 * The digests of the source records that records here come from, by source id, as long as nobody has edited them: an
 * import of the same source records would give them just the content that they have.
 */
export async function findDigests(
  organizationId: string,
  plan: Plan,
  extIds: readonly string[],
): Promise<Readonly<Digests>> {
  const found: Digests = {};
  // For one statement over both tables PostgreSQL starts parallel workers, which takes ten times as long.
  for (const resource of resourcesOf(plan.object)) {
    const { rows } = await pool().query<{ digests: Digests | null }>(
      `SELECT json_object_agg(ext_id, source_digest) AS digests FROM ${resource}
       WHERE organization_id = $1 AND ext_id = ANY ($2::text[]) AND source_digest IS NOT NULL
         AND version = imported_version`,
      [organizationId, extIds],
    );
    Object.assign(found, rows[0]?.digests);
  }
  return found;
}
