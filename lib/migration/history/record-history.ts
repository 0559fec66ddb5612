import type { Pool, PoolClient, QueryResult, QueryResultRow } from "pg";

import { newId } from "@/lib/ids";
import type { HistoryCounts, HistoryEntry, HistoryEvent } from "@/lib/migration/history/history-schema";
import type { MigrationKey } from "@/lib/migration/migration-schema";

/** What is stored of an event beside the run that it belongs to. */
export interface NewEntry {
  event: HistoryEvent;
  /** The user who did it. Absent: it happened by itself. */
  by?: string | undefined;
  object?: HistoryEntry["object"];
  details?: { reason?: string; remedy?: string; counts?: HistoryCounts; every_minutes?: number };
}

/** Entries per migration. Deltas on a schedule never end, so the oldest entries are deleted as runs start. */
const MAX_ENTRIES = 2000;

/** SQL that stores an entry for each row of `from`, which has the columns of a migration. Appends to `values`. */
function insertText(from: string, values: unknown[], { event, by, object, details }: NewEntry): string {
  const first = values.length;
  values.push(newId(), event, by ?? null, object ?? null, details ? JSON.stringify(details) : null);
  const [id, named, user, source, told] = [1, 2, 3, 4, 5].map((place) => `$${first + place}`);
  return `INSERT INTO migration_history (organization_id, migration_id, id, created_at, event, run_number, run_kind,
      user_id, object, details)
    SELECT h.organization_id, h.id, ${id}::uuid, now(), ${named}::migration_event, h.run_number, h.run_kind,
      ${user}::uuid, ${source}::text, ${told}::jsonb
    FROM ${from} AS h`;
}

/** SQL: what the text of {@link changeAndRecord} returns at least. */
export const CHANGED = "m.organization_id, m.id, m.run_number, m.run_kind";

/**
 * Runs an UPDATE of one migration `m` that returns {@link CHANGED}, and stores the entry in the same statement if it
 * changed the row and `condition`, SQL over its returned columns, holds. Without an entry only the UPDATE runs.
 */
export function changeAndRecord<Row extends QueryResultRow>(
  db: Pool | PoolClient,
  update: string,
  values: readonly unknown[],
  entry: NewEntry | null,
  condition = "true",
): Promise<QueryResult<Row>> {
  if (!entry) return db.query<Row>(update, [...values]);
  const all = [...values];
  const insert = insertText(`(SELECT * FROM changed WHERE ${condition})`, all, entry);
  return db.query<Row>(`WITH changed AS (${update}), recorded AS (${insert}) SELECT * FROM changed`, all);
}

/** Stores an entry in the transaction of the caller, with what it tells of. */
export async function recordHistory(client: PoolClient, key: MigrationKey, entry: NewEntry): Promise<void> {
  const values: unknown[] = [key.organizationId, key.migrationId];
  await client.query(
    insertText("(SELECT * FROM migrations WHERE organization_id = $1 AND id = $2)", values, entry),
    values,
  );
}

/** The outcomes so far of one object of the latest run, or of all of them. */
export async function countOutcomes(client: PoolClient, key: MigrationKey, object?: string): Promise<HistoryCounts> {
  const sums = ["created", "updated", "unchanged", "skipped", "failed", "deleted"].map(
    (name) => `coalesce(sum(${name}), 0)::float8 AS ${name}`,
  );
  const { rows } = await client.query<HistoryCounts>(
    `SELECT ${sums.join(", ")} FROM migration_objects
     WHERE organization_id = $1 AND migration_id = $2 AND in_run AND ($3::text IS NULL OR object = $3)`,
    [key.organizationId, key.migrationId, object ?? null],
  );
  if (!rows[0]) throw new Error("A sum always has a row.");
  return rows[0];
}

/** Deletes the oldest entries beyond {@link MAX_ENTRIES}. */
export async function shortenHistory(client: PoolClient, { organizationId, migrationId }: MigrationKey): Promise<void> {
  await client.query(
    `DELETE FROM migration_history WHERE organization_id = $1 AND migration_id = $2 AND id < (
       SELECT id FROM migration_history WHERE organization_id = $1 AND migration_id = $2
       ORDER BY id DESC OFFSET ${MAX_ENTRIES} LIMIT 1)`,
    [organizationId, migrationId],
  );
}
