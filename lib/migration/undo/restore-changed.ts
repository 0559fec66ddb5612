import type { UndoKey } from "@/lib/migration/migration-schema";
import type { PoolClient } from "pg";

import { overtakenBy } from "@/lib/database/db";
import { UNIQUE_VIOLATION } from "@/lib/database/error-codes";
import { emitClause, EMITTED_WEBHOOKS, enqueueEmitted, eventIdsFor } from "@/lib/migration/pipeline/load/emit-imported";
import {
  advanceStep,
  endPass,
  type Kept,
  type KeptCode,
  storeKept,
  type UndoStep,
} from "@/lib/migration/undo/undo-steps";
import { type Cleared, lockDeletionsExclusive } from "@/lib/records/delete/delete-record";
import { relink } from "@/lib/records/delete/restored-links";
import type { Field } from "@/lib/records/schema/field";
import { columnsOf, PROVENANCE } from "@/lib/records/schema/record-sql";
import { ENTITIES } from "@/lib/records/schema/registry";
import type { ResourceName } from "@/lib/records/schema/resources";
import { defaultsOf } from "@/lib/records/schema/write-input";

const PAGE_RECORDS = 1000;

interface Judged {
  id: string;
  ext_id: string | null;
  /** Null: restore it. */
  code: KeptCode | null;
  /** The migration removed it, and has not imported it anew since. */
  is_removed: boolean;
}

/**
 * Restores a page of the records of a resource that the migration changed or removed, and keeps those that somebody has
 * edited since. Returns false if the step is done. The caller has locked the step.
 */
export async function restorePage(client: PoolClient, undo: UndoKey, step: UndoStep, emits: boolean): Promise<boolean> {
  const { resource } = step;
  await lockDeletionsExclusive(client, undo.organizationId);
  const ids = await lockPage(client, undo, step);
  const last = ids.at(-1);
  if (last === undefined) {
    await endPass(client, undo, step, true);
    return false;
  }
  const judged = await judge(client, undo, resource, ids);
  const kept = judged.filter((record): record is Judged & { code: KeptCode } => record.code !== null);
  await storeKept(
    client,
    undo,
    resource,
    kept.map(({ id, ext_id, code }): Kept => ({ id, ext_id, code, by_resource: null, by_id: null })),
  );
  const back = judged.filter(({ code }) => code === null);
  const idsOf = (isRemoved: boolean) => back.flatMap((record) => (record.is_removed === isRemoved ? [record.id] : []));
  await write(client, undo, resource, { ids: idsOf(false), action: "updated", emits });
  await write(client, undo, resource, { ids: idsOf(true), action: "created", emits });
  await relinkRemoved(client, undo, resource, idsOf(true));
  await takeFilesBack(client, undo, resource, idsOf(true));
  await forgetImages(
    client,
    undo,
    resource,
    back.map(({ id }) => id),
  );
  await advanceStep(client, undo, step, last, { done: back.length, kept: kept.length, postponed: 0 });
  return true;
}

async function lockPage(client: PoolClient, undo: UndoKey, { resource, checkpoint }: UndoStep): Promise<string[]> {
  const { rows } = await client.query<{ record_id: string }>(
    `SELECT record_id FROM migration_changes WHERE organization_id = $1 AND migration_id = $2 AND resource = $3
       AND ($4::uuid IS NULL OR record_id > $4)
     ORDER BY record_id LIMIT ${PAGE_RECORDS}`,
    [undo.organizationId, undo.migrationId, resource, checkpoint],
  );
  const ids = rows.map(({ record_id }) => record_id);
  const lock = `SELECT FROM ${resource} WHERE organization_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id FOR UPDATE`;
  await client.query(lock, [undo.organizationId, ids]);
  return ids;
}

/** SQL: whether the record of `resource` with this id exists. */
const isHere = (resource: string, id: string) =>
  `EXISTS (SELECT FROM ${resource} o WHERE o.organization_id = $1::uuid AND o.id = ${id})`;

/**
 * SQL: why the change `c` of the row `t` is not undone; null: it is restored. $2: the migration. `isThere` says whether
 * what a record belongs to exists when its turn comes.
 */
export function restoreVerdict(resource: ResourceName, isThere = isHere): string {
  const fields = Object.entries<Field>(ENTITIES[resource].fields);
  const taken = fields
    .filter(([, { unique }]) => unique)
    .map(([name]) => {
      const same = `o."${name}" = c.before ->> '${name}' AND o.id <> c.record_id`;
      return `EXISTS (SELECT FROM ${resource} o WHERE o.organization_id = $1::uuid AND ${same})`;
    });
  const orphaned = fields
    .filter(([, { references, required }]) => required && references && references !== "users")
    .map(([name, { references }]) => `NOT ${isThere(String(references), `(c.before ->> '${name}')::uuid`)}`);
  return `CASE
       WHEN c.version IS NOT NULL AND t.id IS NULL THEN 'deleted_here'
       WHEN t.id IS NOT NULL AND t.version IS DISTINCT FROM t.imported_version AND t.version IS DISTINCT FROM c.version
         THEN 'edited_here'
       WHEN EXISTS (SELECT FROM migration_changes l WHERE l.organization_id = $1::uuid
         AND l.resource = c.resource AND l.record_id = c.record_id
         AND l.migration_id <> $2::uuid AND l.changed_at > c.changed_at) THEN 'changed_by_migration'
       WHEN ${["false", ...taken].join(" OR ")} THEN 'value_taken'
       WHEN ${["false", ...orphaned].join(" OR ")} THEN 'parent_missing' END`;
}

/** A separate statement, so that it sees rows committed before the locks were taken. */
async function judge(client: PoolClient, undo: UndoKey, resource: ResourceName, ids: string[]): Promise<Judged[]> {
  const { rows } = await client.query<Judged>(
    `SELECT c.record_id AS id, c.before ->> 'ext_id' AS ext_id, c.version IS NULL AND t.id IS NULL AS is_removed,
       ${restoreVerdict(resource)} AS code
     FROM migration_changes c
     LEFT JOIN ${resource} AS t ON t.organization_id = c.organization_id AND t.id = c.record_id
     WHERE c.organization_id = $1::uuid AND c.migration_id = $2::uuid AND c.resource = '${resource}'
       AND c.record_id = ANY ($3::uuid[])`,
    [undo.organizationId, undo.migrationId, ids],
  );
  return rows;
}

/** SQL: the image of the change `c` as a row, without references to what no longer exists. */
function imageText(resource: ResourceName): string {
  const cleared = Object.entries<Field>(ENTITIES[resource].fields).flatMap(([name, { references, required }]) =>
    references && references !== "users" && !required
      ? [
          `CASE WHEN c.before ->> '${name}' IS NULL OR EXISTS (SELECT FROM ${references} o
            WHERE o.organization_id = $1::uuid AND o.id = (c.before ->> '${name}')::uuid)
            THEN '{}' ELSE '{"${name}": null, "source_digest": null}' END::jsonb`,
        ]
      : [],
  );
  return ["$4::jsonb", "c.before", ...cleared].join(" || ");
}

interface Write {
  ids: string[];
  action: "created" | "updated";
  emits: boolean;
}

/**
 * Writes rows as they were. Only the version rises, because a client may know the one in between with other content;
 * what an earlier release changed without raising it is undone without raising it. Where another record takes a unique
 * value between the look and this, the page is repeated.
 */
async function write(client: PoolClient, undo: UndoKey, resource: ResourceName, { ids, action, emits }: Write) {
  if (ids.length === 0) return;
  const entity = ENTITIES[resource];
  const names = [...columnsOf(entity).map(({ name }) => name), ...PROVENANCE].filter((name) => name !== "id");
  const columns = names.map((name) => `"${name}"`).join(", ");
  const images = `images AS (
    SELECT row.*, t.version AS present FROM migration_changes c
    LEFT JOIN ${resource} AS t ON t.organization_id = c.organization_id AND t.id = c.record_id,
    LATERAL jsonb_populate_record(NULL::${resource}, ${imageText(resource)}) AS row
    WHERE c.organization_id = $1::uuid AND c.migration_id = $2::uuid AND c.resource = '${resource}'
      AND c.record_id = ANY ($3::uuid[])
  ), raised AS (
    SELECT *, CASE WHEN present = version THEN version ELSE coalesce(present, version) + 1 END AS next FROM images
  )`;
  const values = names.map((name) => VALUES[name] ?? `i."${name}"`).join(", ");
  const written =
    action === "updated"
      ? `UPDATE ${resource} AS t SET (${columns}) = ROW(${values}) FROM raised AS i
         WHERE t.organization_id = $1::uuid AND t.id = i.id`
      : `INSERT INTO ${resource} AS t (organization_id, id, ${columns}) SELECT $1::uuid, i.id, ${values}
         FROM raised AS i
         ON CONFLICT (organization_id, id) DO NOTHING`;
  const text = `WITH ${images}, stored AS (${written} RETURNING t.*, ${action === "created"} AS inserted)`;
  const owned = [undo.organizationId, undo.migrationId, ids, JSON.stringify(defaultsOf(entity))];
  const answer = emits
    ? client.query<{ webhooks: string[] }>(`${text}, ${emitClause(resource, "id", "$5")} SELECT ${EMITTED_WEBHOOKS}`, [
        ...owned,
        eventIdsFor(ids, "id"),
      ])
    : client.query<{ webhooks?: string[] }>(`${text} SELECT`, owned);
  const { rows } = await answer.catch((error: unknown) => {
    throw overtakenBy(UNIQUE_VIOLATION, error);
  });
  enqueueEmitted(client, undo.organizationId, rows[0]);
  await restoreAliases(client, undo, resource, ids);
}

const VALUES: Record<string, string> = {
  version: "i.next",
  updated_at: "CASE WHEN i.next = i.version THEN i.updated_at ELSE now() END",
  imported_version: "CASE WHEN i.imported_version = i.version THEN i.next ELSE i.imported_version END",
};

/** The references that the migration cleared when it removed records lead to them again, and it has deleted none. */
async function relinkRemoved(client: PoolClient, undo: UndoKey, resource: ResourceName, ids: string[]): Promise<void> {
  const { rows } = await client.query<{ id: string; cleared: Cleared[] }>(
    `WITH taken AS (
       DELETE FROM deleted_records WHERE organization_id = $1 AND deletion_id IN (
         SELECT deletion_id FROM deleted_records
         WHERE organization_id = $1 AND migration_id = $2 AND resource = $3 AND id = ANY ($4::uuid[]) AND NOT is_part)
       RETURNING id, cleared, is_part
     ) SELECT id, cleared FROM taken WHERE NOT is_part`,
    [undo.organizationId, undo.migrationId, resource, ids],
  );
  for (const { id, cleared } of rows) await relink(client, undo, id, cleared);
}

/** What the migration replaced by another record of the same id gets back the files that it had before. */
async function takeFilesBack(client: PoolClient, undo: UndoKey, resource: ResourceName, ids: string[]): Promise<void> {
  await client.query(
    `UPDATE files SET resource = $3
     WHERE organization_id = $1 AND record_id = ANY ($4::uuid[]) AND resource <> $3
       AND migration_id IS DISTINCT FROM $2`,
    [undo.organizationId, undo.migrationId, resource, ids],
  );
}

/** The other external ids that the migration took from records lead to them again. */
async function restoreAliases(client: PoolClient, undo: UndoKey, resource: ResourceName, ids: string[]): Promise<void> {
  await client.query(
    `INSERT INTO ext_aliases (organization_id, ext_id, entity, record_id, migration_id)
     SELECT c.organization_id, alias, c.resource, c.record_id, (c.before ->> 'migration_id')::uuid
     FROM migration_changes c, unnest(c.aliases) AS alias
     WHERE c.organization_id = $1 AND c.migration_id = $2 AND c.resource = $3 AND c.record_id = ANY ($4::uuid[])
     ON CONFLICT (organization_id, ext_id) DO UPDATE
       SET entity = excluded.entity, record_id = excluded.record_id, migration_id = excluded.migration_id`,
    [undo.organizationId, undo.migrationId, resource, ids],
  );
}

async function forgetImages(client: PoolClient, undo: UndoKey, resource: ResourceName, ids: string[]): Promise<void> {
  await client.query(
    `DELETE FROM migration_changes
     WHERE organization_id = $1 AND migration_id = $2 AND resource = $3 AND record_id = ANY ($4::uuid[])`,
    [undo.organizationId, undo.migrationId, resource, ids],
  );
}
