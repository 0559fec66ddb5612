import { queryLong } from "@/lib/migration/long-statements";
import { EDITED_HERE, UNDECIDED } from "@/lib/migration/pipeline/load/keep-edited";
import type { Comparing } from "@/lib/migration/proof/compare-ids";
import type { ObjectProof } from "@/lib/migration/proof/proof-schema";

const KEPT = `k.organization_id = $1 AND k.code IN ('${EDITED_HERE}', '${UNDECIDED}')`;

/**
 * SQL: whether the latest run did not leave the row as it was edited here. `migration`, `object`: parameters. Such rows
 * are not compared: that they differ from the source is what the user wanted.
 */
export function notKept(row: string, migration: string, object: string): string {
  return `NOT EXISTS (SELECT FROM migration_record_issues k
    WHERE ${KEPT} AND k.migration_id = ${migration}::uuid AND k.object = ${object}::text AND k.ext_id = ${row}.ext_id)`;
}

/** How many records are not compared because they stay as they were edited here; null: none. */
export async function countKept({ key, plan }: Pick<Comparing, "key" | "plan">): Promise<ObjectProof["not_compared"]> {
  const [counted] = await queryLong<{ records: number }>(
    `SELECT count(*)::int AS records FROM migration_record_issues k
     WHERE ${KEPT} AND k.migration_id = $2 AND k.object = $3`,
    [key.organizationId, key.migrationId, plan.object.name],
  );
  const records = counted?.records ?? 0;
  const reason =
    "Somebody has edited them here, and they stay so by the configuration or by a decision. Their values and links " +
    "are not those of Salesforce.";
  return records > 0 ? { records, reason } : null;
}
