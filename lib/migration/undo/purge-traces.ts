import type { PoolClient } from "pg";

import { retriedTransaction, setStatementTimeout, transaction } from "@/lib/database/db";
import { MIN_UUID } from "@/lib/ids";
import { queryLong, STATEMENT_TIMEOUT_MS } from "@/lib/migration/long-statements";
import type { UndoKey } from "@/lib/migration/migration-schema";
import { lockUndo, PURGED_DELETIONS } from "@/lib/migration/undo/undo-steps";
import { recordExists } from "@/lib/records/schema/resources";

const PAGE_ALIASES = 5000;

/**
 * The other external ids that the migration found for records which it did not create, unless those are kept, by
 * keyset: no index leads to them.
 */
const ALIASES = `
  SELECT a.ext_id FROM ext_aliases a WHERE a.organization_id = $1 AND a.migration_id = $2 AND a.ext_id > $3
    AND NOT EXISTS (SELECT FROM migration_undo_kept k WHERE k.organization_id = $1 AND k.migration_id = $2
      AND k.resource = a.entity AND k.record_id = a.record_id)
  ORDER BY a.ext_id LIMIT ${PAGE_ALIASES}`;

const DELETE_ALIASES = `
  DELETE FROM ext_aliases WHERE organization_id = $1 AND migration_id = $2 AND ext_id = ANY ($3::text[])`;

/** Forgets these ids page by page until `deadline`. False: there are more, or the undo was stopped. */
export async function forgetAliases(undo: UndoKey, deadline: number): Promise<boolean> {
  const owned = [undo.organizationId, undo.migrationId];
  for (let after = ""; ;) {
    const rows = await queryLong<{ ext_id: string }>(ALIASES, [...owned, after]);
    const ids = rows.map(({ ext_id: extId }) => extId);
    if (!(await whileUndoing(undo, async (client) => void (await client.query(DELETE_ALIASES, [...owned, ids])))))
      return false;
    if (ids.length < PAGE_ALIASES) return true;
    after = ids.at(-1) ?? after;
    if (performance.now() >= deadline) return false;
  }
}

/** A deletion may have taken many parts with its record. */
const PAGE_DELETIONS = 500;

export const DELETIONS = `
  SELECT deletion_id FROM (${PURGED_DELETIONS}) AS d WHERE deletion_id > $3
  ORDER BY deletion_id LIMIT ${PAGE_DELETIONS}`;

/**
 * What is off while {@link DELETIONS} is read, so that it is read in the order of the primary key: PostgreSQL, which
 * cannot know how many are of the migration, would group all deleted records for every page.
 */
export const OFF_FOR_DELETIONS = ["enable_sort", "enable_hashagg"];

function findDeletions(values: readonly string[]): Promise<string[]> {
  return transaction(async (client) => {
    await setStatementTimeout(client, STATEMENT_TIMEOUT_MS);
    for (const name of OFF_FOR_DELETIONS) await client.query(`SET LOCAL ${name} = off`);
    const { rows } = await client.query<{ deletion_id: string }>(DELETIONS, [...values]);
    return rows.map(({ deletion_id: id }) => id);
  });
}

/**
 * With a record the links that waited for others go, and with an opportunity its history of stages, unless it exists
 * again or another deletion can be restored.
 */
const DELETE_DELETIONS = `
  WITH purged AS (
    DELETE FROM deleted_records d WHERE d.organization_id = $1 AND d.deletion_id = ANY ($2::uuid[])
    RETURNING d.resource, d.id
  ), gone AS (
    SELECT p.resource, p.id FROM purged p WHERE NOT ${recordExists("p.resource", "p.id")}
      AND NOT EXISTS (SELECT FROM deleted_records d WHERE d.organization_id = $1 AND d.resource = p.resource
        AND d.id = p.id AND d.deletion_id <> ALL ($2::uuid[]))
  ), histories AS (
    DELETE FROM opportunity_stage_changes c USING gone
    WHERE c.organization_id = $1 AND gone.resource = 'opportunities' AND c.opportunity_id = gone.id
  ), links AS (
    DELETE FROM waiting_links w USING gone
    WHERE w.organization_id = $1 AND w.resource = gone.resource AND w.record_id = gone.id
  )
  DELETE FROM retired_case_numbers r USING purged
  WHERE r.organization_id = $1 AND purged.resource = 'cases' AND r.case_id = purged.id`;

/**
 * Purges {@link PURGED_DELETIONS} page by page until `deadline`. The numbers of their cases are free. They are searched
 * for before any lock is taken: the last page reads all that are left. False: there are more, or the undo was stopped.
 */
export async function purgeDeletions(undo: UndoKey, deadline: number): Promise<boolean> {
  const { organizationId, migrationId } = undo;
  for (let after = MIN_UUID; ;) {
    const ids = await findDeletions([organizationId, migrationId, after]);
    const values = [organizationId, ids];
    if (!(await whileUndoing(undo, async (client) => void (await client.query(DELETE_DELETIONS, values)))))
      return false;
    if (ids.length < PAGE_DELETIONS) return true;
    after = ids.at(-1) ?? after;
    if (performance.now() >= deadline) return false;
  }
}

/** A transaction in which the undo still goes on. False: it was stopped, and nothing is done. */
function whileUndoing(undo: UndoKey, work: (client: PoolClient) => Promise<void>): Promise<boolean> {
  return retriedTransaction(async (client) => {
    await setStatementTimeout(client, STATEMENT_TIMEOUT_MS);
    if (!(await lockUndo(client, undo))) return false;
    await work(client);
    return true;
  });
}
