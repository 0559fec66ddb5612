import type { UndoKey } from "@/lib/migration/migration-schema";
import type { PoolClient } from "pg";

import { newId } from "@/lib/ids";
import {
  emitDeletedClause,
  EMITTED_WEBHOOKS,
  enqueueEmitted,
  eventIdsFor,
} from "@/lib/migration/pipeline/load/emit-imported";
import {
  advanceStep,
  endPass,
  type Kept,
  type KeptCode,
  type StepCounts,
  storeKept,
  type UndoStep,
} from "@/lib/migration/undo/undo-steps";
import { lockDeletionsExclusive, lockParts } from "@/lib/records/delete/delete-record";
import { type Relation, relationsTo } from "@/lib/records/schema/registry";
import type { ResourceName } from "@/lib/records/schema/resources";

const PAGE_RECORDS = 2000;

/** SQL: whether nobody has edited the row `r` since its import. */
export const isUnedited = (row: string) => `${row}.version = ${row}.imported_version`;

/** SQL: whether another migration has changed the row. $2: the migration. */
export const isChangedByOthers = (row: string, resource: ResourceName) => `EXISTS (SELECT FROM migration_changes c
  WHERE c.organization_id = $1::uuid AND c.resource = '${resource}' AND c.record_id = ${row}.id
    AND c.migration_id <> $2::uuid)`;

/** Whether the row is to be deleted too, as far as is known. $2: the migration. */
const doomed = (row: string, resource: ResourceName) => `(${row}.migration_id = $2::uuid AND NOT EXISTS (
  SELECT FROM migration_undo_kept k WHERE k.organization_id = $1::uuid AND k.migration_id = $2::uuid
    AND k.resource = '${resource}' AND k.record_id = ${row}.id))`;

interface Judged {
  id: string;
  ext_id: string | null;
  /** Null: delete it. `waits`: a record of the same resource that may be deleted still points at it. */
  code: KeptCode | "waits" | null;
  by_resource: string | null;
  by_id: string | null;
}

/**
 * Deletes a page of the records of a resource that the migration created, newest first, and keeps those that somebody
 * has edited or attached records to. A record that others of its resource point at waits until they are gone: children
 * before parents. Returns false if the step is done. The caller has locked the step.
 */
export async function deletePage(client: PoolClient, undo: UndoKey, step: UndoStep, emits: boolean): Promise<boolean> {
  // Neither imports nor deletions come in between. Locking the rows waits for those who are about to refer to them.
  await lockDeletionsExclusive(client, undo.organizationId);
  const ids = await lockPage(client, undo, step);
  const last = ids.at(-1);
  if (last === undefined) return endOfPass(client, undo, step, emits);
  const judged = await judge(client, undo, step.resource, ids);
  const counts = await apply(client, undo, step.resource, judged, emits);
  await advanceStep(client, undo, step, last, counts);
  return true;
}

async function apply(
  client: PoolClient,
  undo: UndoKey,
  resource: ResourceName,
  judged: readonly Judged[],
  emits: boolean,
): Promise<StepCounts> {
  const gone = judged.flatMap(({ id, code }) => (code === null ? [id] : []));
  const kept = judged.filter((record): record is Judged & Kept => record.code !== null && record.code !== "waits");
  await storeKept(client, undo, resource, kept);
  await deleteRecords(client, undo, resource, gone, emits);
  return { done: gone.length, kept: kept.length, postponed: judged.length - gone.length - kept.length };
}

/**
 * After the last page of a pass: what was postponed gets another pass, as long as passes move something. What still
 * remains points at each other in circles, and goes at once.
 */
async function endOfPass(client: PoolClient, undo: UndoKey, step: UndoStep, emits: boolean): Promise<boolean> {
  if (step.postponed > 0 && step.moved === 0) {
    const { rows } = await client.query<{ id: string }>(
      `SELECT t.id FROM ${step.resource} AS t
       WHERE t.organization_id = $1 AND ${doomed("t", step.resource)} FOR UPDATE`,
      [undo.organizationId, undo.migrationId],
    );
    const circle = rows.map(({ id }) => id);
    const judged = await judge(client, undo, step.resource, circle);
    if (judged.some(({ code }) => code !== "waits")) return touchedMeanwhile(client, undo, step, judged, emits);
    await deleteRecords(client, undo, step.resource, circle, emits);
    await advanceStep(client, undo, step, newId(), { done: circle.length, kept: 0, postponed: 0 });
  }
  const isDone = step.postponed === 0 || step.moved === 0;
  await endPass(client, undo, step, isDone);
  return !isDone;
}

/** Somebody has edited one of a circle since its page, or attached a record: they get another pass. */
async function touchedMeanwhile(
  client: PoolClient,
  undo: UndoKey,
  step: UndoStep,
  judged: readonly Judged[],
  emits: boolean,
): Promise<true> {
  await advanceStep(client, undo, step, newId(), await apply(client, undo, step.resource, judged, emits));
  await endPass(client, undo, step, false);
  return true;
}

async function lockPage(client: PoolClient, undo: UndoKey, { resource, checkpoint }: UndoStep): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `SELECT t.id FROM ${resource} AS t
     WHERE t.organization_id = $1 AND ($3::uuid IS NULL OR t.id < $3) AND ${doomed("t", resource)}
     ORDER BY t.id DESC LIMIT ${PAGE_RECORDS} FOR UPDATE`,
    [undo.organizationId, undo.migrationId, checkpoint],
  );
  return rows.map(({ id }) => id);
}

/**
 * What is to become of locked records. Locks their parts. A separate statement, so that it sees rows committed before
 * the locks were taken.
 */
async function judge(client: PoolClient, undo: UndoKey, resource: ResourceName, ids: string[]): Promise<Judged[]> {
  await lockParts(client, undo.organizationId, resource, ids);
  const relations = relationsTo(resource);
  const own = relations.filter(({ from }) => from.resource === resource);
  const waits = own.map(({ field }) => `EXISTS (${referrer(resource, field, doomed("r", resource))})`);
  const attached = relations.map((relation) => `(${referringText(resource, relation)})`);
  const part =
    resource === "case_comments"
      ? `WHEN EXISTS (SELECT FROM cases w
          WHERE w.organization_id = $1::uuid AND w.id = t.case_id AND w.migration_id = $2::uuid) THEN 'part'`
      : "";
  const { rows } = await client.query<Judged>(
    `SELECT t.id, t.ext_id, CASE WHEN NOT ${isUnedited("t")} THEN 'edited_here'
       WHEN ${isChangedByOthers("t", resource)} THEN 'changed_by_migration'
       WHEN by.id IS NOT NULL THEN 'attached' ${part}
       ${waits.length > 0 ? `WHEN ${waits.join(" OR ")} THEN 'waits'` : ""} END AS code,
       ${part ? "CASE WHEN by.id IS NULL THEN 'cases' ELSE by.resource END" : "by.resource"} AS by_resource,
       ${part ? "coalesce(by.id, t.case_id)" : "by.id"} AS by_id
     FROM unnest($3::uuid[]) AS page (id) JOIN ${resource} AS t ON t.organization_id = $1::uuid AND t.id = page.id
     LEFT JOIN LATERAL (
       SELECT * FROM (${[NOBODY, ...attached].join(" UNION ALL ")}) AS found LIMIT 1
     ) AS by ON true`,
    [undo.organizationId, undo.migrationId, ids],
  );
  return rows;
}

const NOBODY = "SELECT NULL::text AS resource, NULL::uuid AS id WHERE false";

/** A record that points at `t`. */
function referrer(from: ResourceName, field: string, condition: string): string {
  return `SELECT '${from}' AS resource, r.id FROM ${from} AS r
    WHERE r.organization_id = $1::uuid AND r."${field}" = t.id AND r.id <> t.id AND ${condition} LIMIT 1`;
}

/** A record that points at `t` and stays. Parts that the migration created go with it, unless somebody edited them. */
function referringText(resource: ResourceName, { from, field, isPart }: Relation): string {
  if (isPart)
    return referrer(
      from.resource,
      field,
      `(r.migration_id IS DISTINCT FROM $2::uuid OR NOT ${isUnedited("r")}
        OR ${isChangedByOthers("r", from.resource)})`,
    );
  return referrer(from.resource, field, from.resource === resource ? `NOT ${doomed("r", resource)}` : "true");
}

/** Deletes records with their parts and other external ids, for good: an undone import leaves nothing to restore. */
async function deleteRecords(
  client: PoolClient,
  { organizationId, migrationId }: UndoKey,
  resource: ResourceName,
  ids: string[],
  emits: boolean,
): Promise<void> {
  if (ids.length === 0) return;
  for (const { from, field } of relationsTo(resource).filter(({ isPart }) => isPart)) {
    const deleted = await client.query<{ id: string }>(
      `DELETE FROM ${from.resource} WHERE organization_id = $1 AND "${field}" = ANY ($2::uuid[]) RETURNING id`,
      [organizationId, ids],
    );
    await forget(
      client,
      organizationId,
      from.resource,
      deleted.rows.map(({ id }) => id),
    );
    await client.query(
      `UPDATE migration_undo_steps SET done = done + $4 WHERE organization_id = $1 AND migration_id = $2
         AND action = 'delete' AND resource = $3`,
      [organizationId, migrationId, from.resource, deleted.rows.length],
    );
  }
  const text = `DELETE FROM ${resource} AS t WHERE t.organization_id = $1 AND t.id = ANY ($2::uuid[])`;
  if (emits) await deleteAndEmit(client, organizationId, resource, ids, text);
  else await client.query(text, [organizationId, ids]);
  await forget(client, organizationId, resource, ids);
}

/**
 * Deletes what only deleted records need. A record in another table may have the same id: an e-mail in another shape.
 */
async function forget(
  client: PoolClient,
  organizationId: string,
  resource: ResourceName,
  ids: string[],
): Promise<void> {
  if (ids.length === 0) return;
  const owned = [organizationId, resource, ids];
  await client.query(
    "DELETE FROM ext_aliases WHERE organization_id = $1 AND entity = $2 AND record_id = ANY ($3::uuid[])",
    owned,
  );
  await client.query(
    "DELETE FROM waiting_links WHERE organization_id = $1 AND resource = $2 AND record_id = ANY ($3::uuid[])",
    owned,
  );
  if (resource !== "opportunities") return;
  // A new import gives the opportunity the same id, and its earlier stages would be those of the new one.
  await client.query(
    "DELETE FROM opportunity_stage_changes WHERE organization_id = $1 AND opportunity_id = ANY ($2::uuid[])",
    [organizationId, ids],
  );
}

async function deleteAndEmit(
  client: PoolClient,
  organizationId: string,
  resource: ResourceName,
  ids: string[],
  text: string,
): Promise<void> {
  const { rows } = await client.query<{ webhooks: string[] }>(
    `WITH deleted AS (${text} RETURNING t.*), ${emitDeletedClause(resource, "id", "$3")} SELECT ${EMITTED_WEBHOOKS}`,
    [organizationId, ids, eventIdsFor(ids, "id")],
  );
  enqueueEmitted(client, organizationId, rows[0]);
}
