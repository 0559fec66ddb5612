import { pool } from "@/lib/database/db";
import type { RunKey } from "@/lib/migration/migration-schema";

/** The records whose files are copied, in this order. */
const RESOURCES = ["accounts", "contacts", "cases", "case_comments", "activities"] as const;

type Resource = (typeof RESOURCES)[number];

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
}

export function emptyTally(): Tally {
  return { stored: 0, unchanged: 0, skipped: 0, failed: 0, bytes: 0, left_out: [] };
}

const BEGIN = `
  INSERT INTO migration_files (organization_id, migration_id, run_number, checkpoint, started_at)
  VALUES ($1, $2, $3, $4, now())
  ON CONFLICT (organization_id, migration_id) DO UPDATE SET run_number = $3, checkpoint = excluded.checkpoint,
    stored = 0, unchanged = 0, skipped = 0, failed = 0, bytes = 0, left_out = '[]',
    started_at = now(), finished_at = NULL
  WHERE migration_files.run_number <> $3`;

/** Begins the copying of a run, or goes on with it. Null: all files are copied. */
export async function beginCopying(run: RunKey): Promise<Position | null> {
  const owned = [run.organizationId, run.migrationId, run.runNumber];
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

/** Adds to the counts and moves the checkpoint. False: another run or another worker has gone further. */
export async function advance(run: RunKey, from: Position, to: Position | null, tally: Tally): Promise<boolean> {
  const { rowCount } = await pool().query(
    `UPDATE migration_files SET checkpoint = $5, stored = stored + $6, unchanged = unchanged + $7,
       skipped = skipped + $8, failed = failed + $9, bytes = bytes + $10,
       left_out = jsonb_path_query_array(left_out || $11::jsonb, '$[0 to ${MAX_LISTED - 1}]'),
       finished_at = CASE WHEN $5::text IS NULL THEN now() END
     WHERE organization_id = $1 AND migration_id = $2 AND run_number = $3 AND checkpoint IS NOT DISTINCT FROM $4`,
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
    ],
  );
  return rowCount === 1;
}
