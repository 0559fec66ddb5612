import type { PoolClient } from "pg";

import { Overtaken } from "@/lib/database/db";
import { newId } from "@/lib/ids";
import { emitDeletedClause, EMITTED_WEBHOOKS, enqueueEmitted } from "@/lib/migration/pipeline/load/emit-imported";
import type { MigrationKey, RunKey } from "@/lib/migration/migration-schema";
import type { ResourceName } from "@/lib/records/schema/resources";

const CHANGES =
  "migration_changes AS c (organization_id, migration_id, resource, record_id, changed_at, version, before, aliases)";

const CONFLICT = "ON CONFLICT (organization_id, migration_id, resource, record_id) DO UPDATE";

/**
 * The part of a WITH clause that stores the image of each changed record: its row before the change, so that the
 * migration can be undone (docs/decisions/0037-provenance-and-undo.md). What the migration created itself needs no
 * image, unless another migration has changed it since.
 *
 * An image is stored once, because an undo goes back to the row before the first change. Later changes leave
 * that row, and update `version`, by which an undo sees whether people have edited the record since, and `changed_at`,
 * by which it sees which of two migrations came last. `overwrites`: the change replaces what
 * people have edited. If it does not, as with a link, an undo must still see the record as edited.
 *
 * The part follows `stored` (id, version, migration_id, inserted). $1: the organization; `migration`: the parameter of
 * the migration. The statement does not see its own changes, so it reads the old rows, and each change has raised the
 * version by one.
 */
export function keepBefore(resource: ResourceName, { overwrites }: { overwrites: boolean }, migration = "$3"): string {
  const version = overwrites
    ? "excluded.version"
    : `CASE WHEN (SELECT r.unedited OR r.was = c.version FROM replaced AS r WHERE r.id = excluded.record_id)
        THEN excluded.version ELSE c.version END`;
  const foreign = `stored.migration_id IS DISTINCT FROM ${migration}::uuid`;
  const changedByOthers = `EXISTS (SELECT FROM migration_changes c
    WHERE c.organization_id = $1::uuid AND c.resource = '${resource}' AND c.record_id = stored.id)`;
  return `replaced AS (
  SELECT stored.id, stored.version, old.image, old.version + 1 IS DISTINCT FROM stored.version AS raced,
    old.version AS was, old.version IS NOT DISTINCT FROM old.imported_version AS unedited
  FROM stored LEFT JOIN LATERAL (
    SELECT r.version, r.imported_version, to_jsonb(r) AS image FROM ${resource} AS r
    WHERE r.organization_id = $1::uuid AND r.id = stored.id LIMIT 1
  ) AS old ON true
  WHERE NOT stored.inserted AND (${foreign} OR ${changedByOthers})
), imaged AS (
  INSERT INTO ${CHANGES}
  SELECT $1::uuid, ${migration}::uuid, '${resource}', id, now(), version, image, '{}' FROM replaced WHERE NOT raced
  ${CONFLICT} SET changed_at = excluded.changed_at, version = ${version}
)`;
}

/** Selects, after {@link keepBefore}, the input of {@link assertNotRaced}. */
export const RACED = "EXISTS (SELECT FROM replaced WHERE raced) AS raced";

/**
 * Asserts that the kept rows are those that were replaced. Between the statement's snapshot and its change of a row,
 * somebody else can change that row. This is so rare that locking every row before would cost more than repeating the
 * transaction.
 */
export function assertNotRaced(answer: { raced: boolean } | undefined): void {
  if (answer?.raced) throw new Overtaken("Somebody changed a record at the moment of its import.");
}

/**
 * Keeps the records whose `field` is one of these ids as they are, before they are deleted, unless this migration made
 * them. See {@link keepBefore}.
 */
export async function keepRemoved(
  client: PoolClient,
  { organizationId, migrationId }: MigrationKey,
  resource: ResourceName,
  field: string,
  ids: readonly string[],
): Promise<void> {
  await client.query(
    `INSERT INTO ${CHANGES}
     SELECT $1::uuid, $2::uuid, '${resource}', t.id, now(), NULL, to_jsonb(t), ARRAY(SELECT a.ext_id FROM ext_aliases a
       WHERE a.organization_id = $1::uuid AND a.entity = '${resource}' AND a.record_id = t.id)
     FROM ${resource} AS t
     WHERE t.organization_id = $1::uuid AND t."${field}" = ANY ($3::uuid[]) AND t.migration_id IS DISTINCT FROM $2::uuid
     ${CONFLICT} SET changed_at = excluded.changed_at, version = NULL, aliases = excluded.aliases`,
    [organizationId, migrationId, ids],
  );
}

/** A run that removes records because others take their place. */
export interface Removing extends RunKey {
  /** Whether events are emitted. */
  emits: boolean;
}

/** A record that another one has replaced. */
export interface Removed {
  ext_id: string;
  updated_at: Date;
}

/** `edited`: the row as JSON, if somebody has edited it since its last import. */
type RemovedRow = Removed & { id: string; edited: string | null; webhooks?: string[]; deletion_id?: string };

/**
 * Deletes the records of these source ids and their other external ids, because other records take their place, and
 * returns them. Keeps those that another migration or a person made, as {@link keepBefore}. Those that were edited here
 * can be restored. What nobody can bring back waits for no link any more.
 */
export async function removeRecords(
  client: PoolClient,
  { organizationId, migrationId, emits }: Removing,
  resource: ResourceName,
  extIds: readonly string[],
  condition = "",
): Promise<Removed[]> {
  const deletions = [...new Set(extIds)].map((extId) => ({ ext_id: extId, event_id: newId() }));
  const { rows } = await client.query<RemovedRow>(
    `WITH deleted AS (
       DELETE FROM ${resource} AS t WHERE t.organization_id = $1 AND t.ext_id = ANY ($2::text[]) ${condition}
       RETURNING t.*
     ), aliases AS (
       DELETE FROM ext_aliases AS a
       WHERE a.organization_id = $1 AND a.entity = '${resource}' AND a.record_id = ANY (ARRAY(SELECT id FROM deleted))
       RETURNING a.record_id, a.ext_id
     ), links AS (
       DELETE FROM waiting_links AS w USING deleted
       WHERE w.organization_id = $1 AND w.resource = '${resource}' AND w.record_id = deleted.id
         AND deleted.migration_id = $3 AND deleted.version = deleted.imported_version
     ), kept AS (
       INSERT INTO ${CHANGES}
       SELECT $1::uuid, $3::uuid, '${resource}', deleted.id, now(), NULL, to_jsonb(deleted),
         ARRAY(SELECT aliases.ext_id FROM aliases WHERE aliases.record_id = deleted.id)
       FROM deleted WHERE deleted.migration_id IS DISTINCT FROM $3::uuid
       ${CONFLICT} SET changed_at = excluded.changed_at, version = NULL, aliases = excluded.aliases
     ) ${emits ? `, ${emitDeletedClause(resource, "ext_id", "$4")}` : ""}
     SELECT id, ext_id, updated_at, ${emits ? `${EMITTED_WEBHOOKS},` : ""}
       CASE WHEN version IS DISTINCT FROM imported_version THEN to_jsonb(deleted)::text END AS edited
     FROM deleted`,
    [organizationId, extIds, migrationId, ...(emits ? [JSON.stringify(deletions)] : [])],
  );
  if (emits) enqueueEmitted(client, organizationId, rows[0]);
  const idOf = new Map(deletions.map(({ ext_id, event_id }) => [ext_id, event_id]));
  const edited = rows.flatMap((row) => (row.edited === null ? [] : [{ ...row, deletion_id: idOf.get(row.ext_id) }]));
  await keepRestorable(client, { organizationId, migrationId }, resource, edited);
  return rows.map(({ ext_id, updated_at }) => ({ ext_id, updated_at }));
}

/** Lets removed records that were edited here be restored as if the migration had deleted them. */
async function keepRestorable(
  client: PoolClient,
  { organizationId, migrationId }: MigrationKey,
  resource: ResourceName,
  edited: readonly RemovedRow[],
): Promise<void> {
  if (edited.length === 0) return;
  await client.query(
    `INSERT INTO deleted_records (organization_id, deletion_id, resource, id, ext_id, deleted_at, deleted_by_id,
       migration_id, is_part, record, cleared, aliases)
     SELECT $1::uuid, e.deletion_id, '${resource}', e.id, e.ext_id, now(), m.created_by_id, m.id, false,
       e.edited::jsonb, '[]', '{}'
     FROM json_to_recordset($3::json) AS e (deletion_id uuid, id uuid, ext_id text, edited text)
     JOIN migrations m ON m.organization_id = $1::uuid AND m.id = $2::uuid`,
    [organizationId, migrationId, JSON.stringify(edited)],
  );
}
