import type { PoolClient } from "pg";

import { pool } from "@/lib/database/db";
import { DELETE_BATCH_SIZE } from "@/lib/database/housekeeping";
import type { MigrationKey } from "@/lib/migration/migration-schema";

/** The progress of an object that has not begun. What is selected gets its position in the order of import again. */
const RESET = `position = -1, in_run = false, status = 'pending', read_until = NULL, expected = NULL, source = NULL,
  created = 0, updated = 0, unchanged = 0, skipped = 0, failed = 0, deleted = 0, carried = 0,
  are_deletions_done = true, checkpoint = NULL, dependency_checkpoint = NULL, api = NULL, api_reason = NULL,
  bulk_job = NULL, started_at = NULL, finished_at = NULL`;

/**
 * Deletes objects `o` by a condition, with their issues. Those with many issues, which would keep the transaction open
 * for long, are reset instead: their issues are stale until {@link deleteStaleIssues} has deleted them.
 */
export async function forgetObjects(client: PoolClient, condition: string, values: readonly unknown[]): Promise<void> {
  await client.query(
    `UPDATE migration_objects o SET has_stale_issues = true, ${RESET}
     WHERE ${condition} AND (o.has_stale_issues OR EXISTS (
       SELECT FROM migration_record_issues i WHERE i.organization_id = o.organization_id
         AND i.migration_id = o.migration_id AND i.object = o.object OFFSET ${DELETE_BATCH_SIZE}))`,
    [...values],
  );
  await client.query(`DELETE FROM migration_objects o WHERE ${condition} AND NOT o.has_stale_issues`, [...values]);
}

/** SQL: the objects of which issues of an earlier run are left. $1: the organization, $2: the migration. */
export const STALE_OBJECTS = `SELECT object FROM migration_objects
  WHERE organization_id = $1 AND migration_id = $2 AND has_stale_issues`;

/** SQL: the objects of which all issues are stale. $1: the organization, $2: the migration. */
export const ALL_STALE = `${STALE_OBJECTS} AND started_at IS NULL`;

/**
 * SQL: the moment before which the issues of an object are those of an earlier run; null: none are. $1: the
 * organization, $2: the migration. A worker of the release before this one begins an object without deleting them.
 */
export const staleBefore = (object: string): string =>
  `(SELECT coalesce(o.started_at, 'infinity') FROM migration_objects o
     WHERE o.organization_id = $1 AND o.migration_id = $2 AND o.object = ${object} AND o.has_stale_issues)`;

/** $3: the object, $4: the record to start after. */
const DELETE_PAGE = `
  WITH page AS MATERIALIZED (
    SELECT ctid, ext_id FROM migration_record_issues
    WHERE organization_id = $1 AND migration_id = $2 AND object = $3 AND ext_id > $4
      AND created_at < ${staleBefore("$3")}
    ORDER BY ext_id LIMIT ${DELETE_BATCH_SIZE}
  ), deleted AS (
    DELETE FROM migration_record_issues WHERE ctid = ANY (ARRAY(SELECT ctid FROM page))
  )
  SELECT max(ext_id) AS last FROM page`;

const IS_CLEAR = `o.organization_id = $1 AND o.migration_id = $2 AND o.object = $3 AND o.has_stale_issues
  AND NOT EXISTS (SELECT FROM migration_record_issues i
    WHERE i.organization_id = $1 AND i.migration_id = $2 AND i.object = $3
      AND (o.started_at IS NULL OR i.created_at < o.started_at))`;

/** An object without a position was deselected. Those of other phases have one. */
const CLEAR = `
  WITH deselected AS (DELETE FROM migration_objects o WHERE ${IS_CLEAR} AND o.position < 0)
  UPDATE migration_objects o SET has_stale_issues = false WHERE ${IS_CLEAR} AND o.position >= 0`;

async function deletePage(values: readonly string[]): Promise<string | null> {
  const { rows } = await pool().query<{ last: string | null }>(DELETE_PAGE, [...values]);
  return rows[0]?.last ?? null;
}

/** Deletes stale issues of a migration, before anything is read, until `deadline`. False: there may be more. */
export async function deleteStaleIssues(
  { organizationId, migrationId }: MigrationKey,
  deadline: number,
): Promise<boolean> {
  const owned = [organizationId, migrationId];
  const { rows: stale } = await pool().query<{ object: string }>(STALE_OBJECTS, owned);
  for (const { object } of stale) {
    for (let after: string | null = ""; after !== null;) {
      after = await deletePage([...owned, object, after]);
      if (performance.now() >= deadline) return false;
    }
    await pool().query(CLEAR, [...owned, object]);
  }
  return stale.length === 0 || (await pool().query(STALE_OBJECTS, owned)).rowCount === 0;
}
