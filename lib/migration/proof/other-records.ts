import { pool } from "@/lib/database/db";
import { readByKeyset } from "@/lib/migration/pipeline/read/read-by-keyset";
import { IDS_PER_QUERY } from "@/lib/migration/pipeline/read/read-by-ids";
import { conditionsOf } from "@/lib/migration/pipeline/read/window";
import { KEY_PREFIXES } from "@/lib/migration/proof/compared-fields";
import type { Comparing } from "@/lib/migration/proof/compare-ids";
import { MAX_PAGE_RECORDS } from "@/lib/salesforce/answer-bounds";
import { type SourceRecord, soqlString } from "@/lib/salesforce/query";

/** Bounds the API requests: {@link IDS_PER_QUERY} ids are read by one. */
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

/** Reads fields of the records with the given ids, as far as they are in the window. */
export async function* readOtherRecords(
  { client, plan, window }: Comparing,
  ids: readonly string[],
  fields: readonly string[],
): AsyncGenerator<SourceRecord> {
  for (let start = 0; start < ids.length; start += IDS_PER_QUERY) {
    const some = ids.slice(start, start + IDS_PER_QUERY);
    const pages = readByKeyset(client, {
      from: plan.object.name,
      fields: ["Id", ...fields],
      where: [`Id IN (${some.map(soqlString).join(", ")})`, ...conditionsOf(plan.object.name, window)],
      after: null,
      all: true,
      size: { records: plan.object.maxPageRecords ?? MAX_PAGE_RECORDS },
    });
    for await (const page of pages) yield* page;
  }
}
