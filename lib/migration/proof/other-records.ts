import { pool } from "@/lib/database/db";
import { KEY_PREFIXES } from "@/lib/migration/objects/key-prefixes";
import type { Comparing } from "@/lib/migration/proof/compare-ids";

/** Bounds the API requests: see `IDS_PER_QUERY`. */
export const MAX_OTHER_RECORDS = 200_000;

const OTHERS = `SELECT ext_id FROM migration_record_issues
    WHERE organization_id = $1 AND migration_id = $2 AND object = $3
  UNION SELECT ext_id FROM ext_aliases WHERE organization_id = $1 AND starts_with(ext_id, $4)
  LIMIT $5`;

/**
 * The ids of source records that are no record of their own here: left out, or merged into another. Sums and counts of
 * the source include them.
 */
export async function listOtherRecords({ key, plan }: Pick<Comparing, "key" | "plan">): Promise<string[]> {
  const { name } = plan.object;
  const owned = [key.organizationId, key.migrationId, name, KEY_PREFIXES[name], MAX_OTHER_RECORDS + 1];
  const { rows } = await pool().query<{ ext_id: string }>(OTHERS, owned);
  return rows.map(({ ext_id }) => ext_id);
}
