import type { PoolClient } from "pg";

import { assertNotRaced, keepBefore, RACED } from "@/lib/migration/pipeline/load/before-images";
import type { MigrationKey } from "@/lib/migration/status";
import { RAISE_UNEDITED } from "@/lib/records/write/store-records";

/** A new entry keeps the time of its last change in the source. */
const NUMBER = `WITH stored AS (
    UPDATE case_comments AS c SET position = numbered.position, ${RAISE_UNEDITED},
      updated_at = CASE WHEN c.position = 0 THEN c.updated_at ELSE now() END
    FROM (
      SELECT id, row_number() OVER (PARTITION BY case_id ORDER BY created_at, ext_id COLLATE "C", id) AS position
      FROM case_comments WHERE organization_id = $1 AND case_id = ANY ($3::uuid[])
    ) AS numbered
    WHERE c.organization_id = $1 AND c.id = numbered.id AND c.position <> numbered.position
    RETURNING c.id, c.version, c.migration_id, false AS inserted
  ), ${keepBefore("case_comments", { overwrites: false }, "$2")}
  SELECT ${RACED}`;

/** Numbers the threads of these cases. */
export async function numberThreadsOf(
  client: PoolClient,
  { organizationId, migrationId }: MigrationKey,
  caseIds: readonly string[],
): Promise<void> {
  const { rows } = await client.query<{ raced: boolean }>(NUMBER, [organizationId, migrationId, caseIds]);
  assertNotRaced(rows[0]);
}

/** SQL: whether entries of the thread of `t` have their positions already. */
const IS_NUMBERED = `EXISTS (SELECT FROM case_comments n
  WHERE n.organization_id = $1 AND n.case_id = t.case_id AND n.position > 0)`;

/**
 * Numbers the threads that these source records are new in. `numberedOnly`: those alone whose other entries have their
 * positions, so that nobody reads a new entry as the first of its thread until all of the object is read.
 */
export async function numberThreadsWith(
  client: PoolClient,
  key: MigrationKey,
  extIds: readonly string[],
  { numberedOnly }: { numberedOnly: boolean },
): Promise<void> {
  const { rows } = await client.query<{ case_id: string }>(
    `SELECT DISTINCT t.case_id FROM case_comments t
     WHERE t.organization_id = $1 AND t.ext_id = ANY ($2::text[]) AND t.position = 0
       ${numberedOnly ? `AND ${IS_NUMBERED}` : ""}`,
    [key.organizationId, extIds],
  );
  if (rows.length === 0) return;
  await numberThreadsOf(
    client,
    key,
    rows.map((row) => row.case_id),
  );
}
