import type { PoolClient } from "pg";

import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";
import type { Removed } from "@/lib/migration/pipeline/load/before-images";
import type { MigrationKey } from "@/lib/migration/migration-schema";

/**
 * A record that was left out is counted already. One that was updated since the last full run or delta began is among
 * the updated ones; others are taken from the unchanged ones first. What a delta has not read is in no count: it is
 * carried over from now on. Nothing happens to an object that is yet to be read: it finds its records removed and
 * counts them itself.
 */
const MOVE = `
  WITH gone AS (
    SELECT g.* FROM json_to_recordset($4::json) AS g(ext_id text, updated_at timestamptz)
  ), listed AS (
    DELETE FROM migration_record_issues i USING gone g
    WHERE i.organization_id = $1 AND i.migration_id = $2 AND i.object = $3 AND i.ext_id = g.ext_id
    RETURNING i.ext_id, i.outcome
  ), moved AS (
    SELECT first.updated, next.unchanged, least(o.created, rest - next.unchanged) AS created,
      greatest(rest - next.unchanged - o.created, 0) AS uncounted,
      (SELECT count(*) FROM gone) - (SELECT count(*) FROM listed WHERE outcome = 'skipped') AS skipped,
      (SELECT count(*) FROM listed WHERE outcome = 'failed') AS failed
    FROM migration_objects o
    CROSS JOIN LATERAL (
      SELECT count(*) AS records, count(*) FILTER (WHERE g.updated_at >= o.started_at) AS changed
      FROM gone g WHERE NOT EXISTS (SELECT FROM listed WHERE listed.ext_id = g.ext_id)
    ) AS counted
    CROSS JOIN LATERAL (SELECT least(o.updated, changed) AS updated) AS first
    CROSS JOIN LATERAL (SELECT records - first.updated AS rest) AS others
    CROSS JOIN LATERAL (SELECT least(o.unchanged, rest) AS unchanged) AS next
    WHERE o.organization_id = $1 AND o.migration_id = $2 AND o.object = $3
  )
  UPDATE migration_objects o SET created = o.created - m.created, updated = o.updated - m.updated,
    unchanged = o.unchanged - m.unchanged, skipped = o.skipped + m.skipped, failed = o.failed - m.failed,
    carried = o.carried + m.uncounted, expected = o.expected + m.uncounted, source = o.source + m.uncounted
  FROM moved m
  WHERE o.organization_id = $1 AND o.migration_id = $2 AND o.object = $3 AND o.started_at IS NOT NULL`;

/**
 * Counts records as skipped that an object has imported before, and that were removed because another object has
 * imported what they are copies of. Returns those whose reasons are to be stored: so the sum closes, and the list is
 * complete.
 */
export async function countAsSkipped(
  client: PoolClient,
  { organizationId, migrationId }: MigrationKey,
  object: SourceObjectName,
  removed: readonly Removed[],
): Promise<readonly Removed[]> {
  if (removed.length === 0) return [];
  const { rowCount } = await client.query(MOVE, [organizationId, migrationId, object, JSON.stringify(removed)]);
  return rowCount === 0 ? [] : removed;
}
