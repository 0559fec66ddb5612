import type { PoolClient } from "pg";

import { pool } from "@/lib/database/db";
import { DELETE_BATCH_SIZE, deleteInBatches } from "@/lib/database/housekeeping";
import { newId } from "@/lib/ids";
import type { ObjectConfiguration } from "@/lib/migration/configuration/configuration-schema";
import type { DuplicateChoices } from "@/lib/migration/configuration/duplicate-rules";
import type { Failure, MigrationKey } from "@/lib/migration/migration-schema";
import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";

export type Purpose = "preview" | "run" | "report";

/** A search for the duplicates of one object, as it is stored. */
export interface Search {
  id: string;
  object: SourceObjectName;
  purpose: Purpose;
  run_number: number;
  choices: DuplicateChoices;
  /** Where the fields of the source go. */
  mapping: Pick<ObjectConfiguration, "fields" | "values">;
  status: "reading_source" | "reading_here" | "done" | "failed";
  checkpoint: string | null;
  /** The search reads what was created before; null until it begins. */
  read_until: Date | null;
}

const FIELDS = "id, object, purpose, run_number, choices, mapping, status, checkpoint, read_until";

/** Starts a search, in place of an earlier one of the same object and purpose. */
export async function startSearch(
  client: PoolClient,
  { organizationId, migrationId }: MigrationKey,
  search: Pick<Search, "object" | "purpose" | "run_number" | "choices" | "mapping" | "read_until">,
): Promise<Search> {
  const { object, purpose } = search;
  await client.query(
    `DELETE FROM duplicate_searches WHERE organization_id = $1 AND migration_id = $2 AND object = $3 AND purpose = $4`,
    [organizationId, migrationId, object, purpose],
  );
  const { rows } = await client.query<Search>(
    `INSERT INTO duplicate_searches
       (organization_id, id, migration_id, object, purpose, run_number, choices, mapping, read_until, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, now()) RETURNING ${FIELDS}`,
    [
      organizationId,
      newId(),
      migrationId,
      object,
      purpose,
      search.run_number,
      JSON.stringify(search.choices),
      JSON.stringify(search.mapping),
      search.read_until,
    ],
  );
  return rows[0] as Search;
}

export async function findSearches({ organizationId, migrationId }: MigrationKey, purpose: Purpose): Promise<Search[]> {
  const { rows } = await pool().query<Search>(
    `SELECT ${FIELDS} FROM duplicate_searches WHERE organization_id = $1 AND migration_id = $2 AND purpose = $3
     ORDER BY id`,
    [organizationId, migrationId, purpose],
  );
  return rows;
}

/** Locks a search, if it is at this point. False: another worker has gone further, or another search took its place. */
export async function lockSearch(client: PoolClient, organizationId: string, search: Search): Promise<boolean> {
  const { rowCount } = await client.query(
    `SELECT FROM duplicate_searches WHERE organization_id = $1 AND id = $2 AND status = $3
       AND checkpoint IS NOT DISTINCT FROM $4 FOR UPDATE`,
    [organizationId, search.id, search.status, search.checkpoint],
  );
  return rowCount === 1;
}

const DELETE_RECORDS = `DELETE FROM duplicate_records WHERE ctid = ANY (ARRAY(
  SELECT ctid FROM duplicate_records WHERE organization_id = $1 AND search_id = $2 LIMIT ${DELETE_BATCH_SIZE}))`;

/** Read while a search is being replaced, and after that only if the new one could not begin. */
const REPLACED: Failure = {
  code: "internal_error",
  detail: "A new search takes the place of this one, of whose result parts are deleted.",
  remedy: "If the new one does not begin, search for duplicates again.",
};

/**
 * Deletes the searches of some objects with their clusters, these in batches: called before {@link startSearch}, so
 * that its transaction does not take long. A search of which some clusters are gone is no longer `done`, and no worker
 * goes on with it.
 */
export async function deleteSearches(
  key: MigrationKey,
  purpose: Purpose,
  isDeleted: (object: SourceObjectName) => boolean = () => true,
): Promise<void> {
  for (const { id, object } of await findSearches(key, purpose)) {
    if (!isDeleted(object)) continue;
    const owned = [key.organizationId, id];
    await pool().query(
      `UPDATE duplicate_searches SET status = 'failed', failure = $3, finished_at = now()
       WHERE organization_id = $1 AND id = $2`,
      [...owned, REPLACED],
    );
    await deleteInBatches(DELETE_RECORDS, owned);
    await pool().query("DELETE FROM duplicate_searches WHERE organization_id = $1 AND id = $2", owned);
  }
}

/** Fixes the moment up to which a search reads. */
export async function fixReadUntil(key: MigrationKey, searchId: string, now: Date): Promise<void> {
  await pool().query(
    `UPDATE duplicate_searches SET read_until = coalesce(read_until, $3) WHERE organization_id = $1 AND id = $2`,
    [key.organizationId, searchId, now],
  );
}

/** Ends a search in `failed`, with the reason. */
export async function failSearch(key: MigrationKey, searchId: string, failure: Failure): Promise<void> {
  await pool().query(
    `UPDATE duplicate_searches SET status = 'failed', failure = $3, finished_at = now()
     WHERE organization_id = $1 AND id = $2 AND status <> 'done'`,
    [key.organizationId, searchId, failure],
  );
}
