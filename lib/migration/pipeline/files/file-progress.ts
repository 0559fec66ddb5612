import type { PoolClient } from "pg";

import { pool } from "@/lib/database/db";
import { DELETE_BATCH_SIZE, deleteInBatches } from "@/lib/database/housekeeping";
import type { MigrationKey, RunKey } from "@/lib/migration/migration-schema";

/** The records whose files are copied, in this order. */
export const RESOURCES = ["accounts", "contacts", "cases", "case_comments", "activities"] as const;

export type Resource = (typeof RESOURCES)[number];

/** Where the copying stands: after a record of the resource and, among the files of the records that follow, a file. */
export interface Position {
  resource: Resource;
  after: string | null;
  file: string | null;
}

/** How many files that were left out are listed. */
const MAX_LISTED = 100;

/** What became of files. */
export interface Tally {
  stored: number;
  unchanged: number;
  skipped: number;
  failed: number;
  bytes: number;
  left_out: { ext_id: string; name: string; size: number; reason: string }[];
  /** The keys of these. */
  left_out_keys: string[];
}

export function emptyTally(): Tally {
  return { stored: 0, unchanged: 0, skipped: 0, failed: 0, bytes: 0, left_out: [], left_out_keys: [] };
}

/** Releases before the table of keys have only listed what was left out, by its source ids: these become keys. */
const BEGIN = `
  WITH listed AS (
    INSERT INTO migration_left_out_files (organization_id, migration_id, file)
    SELECT $1, $2, listed ->> 'ext_id' FROM migration_files f, jsonb_array_elements(f.left_out) AS listed
    WHERE f.organization_id = $1 AND f.migration_id = $2 AND NOT EXISTS (
      SELECT FROM migration_left_out_files l WHERE l.organization_id = $1 AND l.migration_id = $2
        AND split_part(l.file, '.', 1) = listed ->> 'ext_id')
    ON CONFLICT DO NOTHING)
  INSERT INTO migration_files (organization_id, migration_id, run_number, checkpoint, started_at)
  VALUES ($1, $2, $3, $4, now())
  ON CONFLICT (organization_id, migration_id) DO UPDATE SET run_number = $3, checkpoint = excluded.checkpoint,
    stored = 0, unchanged = 0, bytes = 0, started_at = now(), finished_at = NULL
  WHERE migration_files.run_number <> $3`;

/** The counts end with the first keys, so that no file counts twice. Until one run has looked for all, each does. */
const FORGET_LEFT_OUT = `
  WITH uncounted AS (
    UPDATE migration_files SET skipped = 0, failed = 0, left_out = '[]', searched_until = NULL, unsearched = '{}'
    WHERE organization_id = $1 AND migration_id = $2 AND run_number <> $3)
  DELETE FROM migration_left_out_files WHERE ctid = ANY (ARRAY(SELECT l.ctid FROM migration_left_out_files l
    WHERE l.organization_id = $1 AND l.migration_id = $2 AND NOT EXISTS (SELECT FROM migration_files
      WHERE organization_id = $1 AND migration_id = $2 AND run_number = $3) LIMIT ${DELETE_BATCH_SIZE}))`;

/** Begins the copying of a run, or goes on with it. Null: all files are copied. */
export async function beginCopying(run: RunKey, isWhole: boolean): Promise<Position | null> {
  const owned = [run.organizationId, run.migrationId, run.runNumber];
  if (isWhole) await deleteInBatches(FORGET_LEFT_OUT, owned);
  await pool().query(BEGIN, [...owned, textOf({ resource: RESOURCES[0], after: null, file: null })]);
  const { rows } = await pool().query<{ checkpoint: string | null }>(
    "SELECT checkpoint FROM migration_files WHERE organization_id = $1 AND migration_id = $2 AND run_number = $3",
    owned,
  );
  const [resource, after, file] = rows[0]?.checkpoint?.split("/") ?? [];
  const known = RESOURCES.find((name) => name === resource);
  return known ? { resource: known, after: after || null, file: file || null } : null;
}

function textOf(position: Position | null): string | null {
  return position && `${position.resource}/${position.after ?? ""}/${position.file ?? ""}`;
}

/** The position behind the record `last`; behind all of its resource if that is null. */
export function behind({ resource }: Position, last: string | null): Position | null {
  if (last !== null) return { resource, after: last, file: null };
  const next = RESOURCES[RESOURCES.indexOf(resource) + 1];
  return next ? { resource: next, after: null, file: null } : null;
}

/**
 * Adds to the counts and moves the checkpoint. At the end, what changed until the run began has been looked for; of a
 * retry only what it has read. False: another run or another worker has gone further.
 */
export async function advance(run: RunKey, from: Position, to: Position | null, tally: Tally): Promise<boolean> {
  const { rowCount } = await pool().query(
    `WITH advanced AS (
       UPDATE migration_files f SET checkpoint = $5, stored = stored + $6, unchanged = unchanged + $7,
         skipped = skipped + $8, failed = failed + $9, bytes = bytes + $10,
         left_out = jsonb_path_query_array(left_out || $11::jsonb, '$[0 to ${MAX_LISTED - 1}]'),
         finished_at = CASE WHEN $5::text IS NULL THEN now() END,
         searched_until = CASE WHEN $5::text IS NULL AND (m.run_kind <> 'retry' OR f.searched_until IS NULL)
           THEN m.read_until ELSE f.searched_until END,
         unsearched = CASE WHEN $5::text IS NULL THEN '{}' ELSE f.unsearched END
       FROM migrations m
       WHERE f.organization_id = $1 AND f.migration_id = $2 AND f.run_number = $3
         AND f.checkpoint IS NOT DISTINCT FROM $4 AND m.organization_id = $1 AND m.id = $2 RETURNING 1
     ), left_out AS (
       INSERT INTO migration_left_out_files (organization_id, migration_id, file)
       SELECT $1, $2, unnest($12::text[]) FROM advanced ON CONFLICT DO NOTHING
     )
     SELECT FROM advanced`,
    [
      run.organizationId,
      run.migrationId,
      run.runNumber,
      textOf(from),
      textOf(to),
      tally.stored,
      tally.unchanged,
      tally.skipped,
      tally.failed,
      tally.bytes,
      JSON.stringify(tally.left_out.slice(0, MAX_LISTED)),
      tally.left_out_keys,
    ],
  );
  return rowCount === 1;
}

/** Of some files, those that are counted as left out. Only a search for the files of all records tries them again. */
export async function listLeftOut(run: RunKey, keys: readonly string[]): Promise<Set<string>> {
  // Most records have no files.
  if (keys.length === 0) return new Set();
  const { rows } = await pool().query<{ key: string }>(
    `SELECT key FROM unnest($3::text[]) AS key WHERE EXISTS (SELECT FROM migration_left_out_files
       WHERE organization_id = $1 AND migration_id = $2 AND file IN (key, split_part(key, '.', 1)))`,
    [run.organizationId, run.migrationId, keys],
  );
  return new Set(rows.map(({ key }) => key));
}

/** With more records than these, the files of all are looked for. */
export const MAX_UNSEARCHED = 20_000;

/**
 * Notes source records whose files are to be looked for though nobody has changed these: since files were looked for,
 * the records have come here, have been merged into others, or have got what was moved to them.
 */
export async function noteUnsearched(
  client: Pick<PoolClient, "query">,
  { organizationId, migrationId }: MigrationKey,
  extIds: readonly string[],
): Promise<void> {
  if (extIds.length === 0) return;
  const fits = `cardinality(unsearched) + cardinality($3::text[]) <= ${MAX_UNSEARCHED}`;
  await client.query(
    `UPDATE migration_files SET searched_until = CASE WHEN ${fits} THEN searched_until END,
       unsearched = CASE WHEN ${fits} THEN unsearched || $3::text[] ELSE '{}' END
     WHERE organization_id = $1 AND migration_id = $2 AND searched_until IS NOT NULL`,
    [organizationId, migrationId, extIds],
  );
}
