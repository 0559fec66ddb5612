import type { PoolClient } from "pg";

import { pool } from "@/lib/database/db";
import { newId } from "@/lib/ids";
import { queryLong } from "@/lib/migration/long-statements";
import type { KeptRecord } from "@/lib/migration/undo/undo-schema";
import type { MigrationKey, UndoKey } from "@/lib/migration/migration-schema";
import type { ResourceName } from "@/lib/records/schema/resources";

/**
 * The order of deletion: a resource comes after those that refer to it. Comments go with their case; those that are
 * left follow.
 */
const DELETED_IN_ORDER: readonly ResourceName[] = [
  "activities",
  "leads",
  "opportunities",
  "cases",
  "case_comments",
  "contacts",
  "accounts",
  "products",
];

/** What others need comes first: a case before its thread. */
const RESTORED_IN_ORDER: readonly ResourceName[] = [
  ...DELETED_IN_ORDER.toReversed().filter((resource) => resource !== "case_comments"),
  "case_comments",
];

/** Everything is restored first: a restored record may no longer refer to one that is to be deleted. */
const STEPS = [
  ...RESTORED_IN_ORDER.map((resource) => ({ action: "restore", resource })),
  ...DELETED_IN_ORDER.map((resource) => ({ action: "delete", resource })),
];

/**
 * What somebody has deleted since the migration ($2) created it: after an undo it can no longer be restored. A deletion
 * that took records of others, or edited ones, stays restorable.
 */
export const PURGED_DELETIONS = `
  SELECT deletion_id FROM deleted_records WHERE organization_id = $1 GROUP BY deletion_id
  HAVING bool_and(record ->> 'migration_id' = $2::text AND record -> 'version' = record -> 'imported_version')`;

export interface UndoStep {
  position: number;
  action: "restore" | "delete";
  resource: ResourceName;
  /** The last record of the last committed page. */
  checkpoint: string | null;
  moved: number;
  postponed: number;
}

/** What a page did. */
export interface StepCounts {
  done: number;
  kept: number;
  postponed: number;
}

/**
 * Prepares the steps of an undo, within the transaction that starts it. What an earlier undo kept is forgotten, and so
 * are conflicts, of which nothing is left to decide.
 */
export async function resetSteps(client: PoolClient, { organizationId, migrationId }: MigrationKey): Promise<void> {
  const owned = [organizationId, migrationId];
  await client.query("DELETE FROM migration_undo_steps WHERE organization_id = $1 AND migration_id = $2", owned);
  await client.query("DELETE FROM migration_conflicts WHERE organization_id = $1 AND migration_id = $2", owned);
  await client.query("DELETE FROM migration_undo_kept WHERE organization_id = $1 AND migration_id = $2", owned);
  await client.query(
    `INSERT INTO migration_undo_steps (organization_id, migration_id, position, action, resource)
     SELECT $1, $2, position, action, resource
     FROM jsonb_to_recordset($3) AS s (position int, action migration_undo_action, resource text)`,
    [...owned, JSON.stringify(STEPS.map((step, position) => ({ ...step, position })))],
  );
}

/**
 * The other migrations `m` that may have found records here which the migration `own` made: those of the same org that
 * run, or whose latest run ended after this one was connected.
 */
export const MAY_HAVE_FOUND = `m.organization_id = own.organization_id AND m.id <> own.id
  AND m.report #>> '{org,id}' = own.report #>> '{org,id}'
  AND (m.finished_at IS NULL OR m.finished_at >= own.created_at)`;

/**
 * Forgets until when objects were read: those of the migration, and of others that may have found here what it made.
 * They are no longer reconciled, and a delta would import only what changed since. Called when an undo begins and
 * when it ends, because another run may have read in between.
 */
export async function forgetReading(client: PoolClient, { organizationId, migrationId }: MigrationKey): Promise<void> {
  await client.query(
    `UPDATE migration_objects o SET read_until = NULL FROM migrations m, migrations own
     WHERE own.organization_id = $1 AND own.id = $2 AND m.organization_id = $1
       AND o.organization_id = $1 AND o.migration_id = m.id AND (m.id = own.id OR ${MAY_HAVE_FOUND})`,
    [organizationId, migrationId],
  );
}

const FIND_UNDO = `SELECT FROM migrations WHERE organization_id = $1 AND id = $2 AND status = 'undoing'
  AND undo_number = $3`;

/** Whether this undo still goes on. */
export async function isUndoing({ organizationId, migrationId, undoNumber }: UndoKey): Promise<boolean> {
  return (await pool().query(FIND_UNDO, [organizationId, migrationId, undoNumber])).rowCount === 1;
}

/** As {@link isUndoing}, and keeps it so until the transaction of `client` ends. */
export async function lockUndo(
  client: PoolClient,
  { organizationId, migrationId, undoNumber }: UndoKey,
): Promise<boolean> {
  return (await client.query(`${FIND_UNDO} FOR SHARE`, [organizationId, migrationId, undoNumber])).rowCount === 1;
}

export async function nextStep({ organizationId, migrationId }: UndoKey): Promise<UndoStep | undefined> {
  const { rows } = await pool().query<UndoStep>(
    `SELECT position, action, resource, checkpoint, moved::float8, postponed::float8 FROM migration_undo_steps
     WHERE organization_id = $1 AND migration_id = $2 AND NOT is_done ORDER BY position LIMIT 1`,
    [organizationId, migrationId],
  );
  return rows[0];
}

/**
 * SQL: the records in whose place the migration has created others: it removed what was of another origin, and imported
 * the same anew. An undo gives the former back. $1: the organization, $2: the migration.
 */
export const REPLACED = `SELECT c.resource, c.record_id AS id FROM migration_changes c
  WHERE c.organization_id = $1::uuid AND c.migration_id = $2::uuid AND c.version IS NULL
    AND c.before ->> 'migration_id' IS DISTINCT FROM $2::uuid::text`;

/** Counts, once, what each step has to do. */
export async function countSteps({ organizationId, migrationId }: UndoKey): Promise<void> {
  const owned = [organizationId, migrationId];
  const { rows } = await pool().query<Pick<UndoStep, "position" | "action" | "resource">>(
    `SELECT position, action, resource FROM migration_undo_steps
     WHERE organization_id = $1 AND migration_id = $2 AND expected IS NULL`,
    owned,
  );
  for (const { position, action, resource } of rows) {
    const found =
      action === "restore"
        ? `migration_changes WHERE organization_id = $1 AND migration_id = $2 AND resource = '${resource}'`
        : `${resource} AS t WHERE organization_id = $1 AND migration_id = $2
             AND NOT EXISTS (SELECT FROM (${REPLACED}) AS r WHERE r.resource = '${resource}' AND r.id = t.id)`;
    await queryLong(
      `UPDATE migration_undo_steps SET expected = (SELECT count(*) FROM ${found})
       WHERE organization_id = $1 AND migration_id = $2 AND position = $3`,
      [...owned, position],
    );
  }
}

/**
 * Locks a step for the transaction if this undo still goes on and nobody has gone beyond the checkpoint. False: the
 * caller must not write anything.
 */
export async function lockStep(client: PoolClient, undo: UndoKey, step: UndoStep): Promise<boolean> {
  const { rowCount } = await client.query(
    `SELECT FROM migrations m
     JOIN migration_undo_steps s ON s.organization_id = m.organization_id AND s.migration_id = m.id
     WHERE m.organization_id = $1 AND m.id = $2 AND m.status = 'undoing' AND m.undo_number = $3
       AND s.position = $4 AND NOT s.is_done AND s.checkpoint IS NOT DISTINCT FROM $5
       AND s.moved = $6 AND s.postponed = $7
     FOR SHARE OF m FOR UPDATE OF s`,
    [
      undo.organizationId,
      undo.migrationId,
      undo.undoNumber,
      step.position,
      step.checkpoint,
      step.moved,
      step.postponed,
    ],
  );
  return rowCount === 1;
}

/** Moves a step behind a page and counts what the page did. */
export async function advanceStep(
  client: PoolClient,
  undo: UndoKey,
  { position }: UndoStep,
  checkpoint: string,
  { done, kept, postponed }: StepCounts,
): Promise<void> {
  await client.query(
    `UPDATE migration_undo_steps SET checkpoint = $4, done = done + $5, kept = kept + $6, moved = moved + $5 + $6,
       postponed = postponed + $7
     WHERE organization_id = $1 AND migration_id = $2 AND position = $3`,
    [undo.organizationId, undo.migrationId, position, checkpoint, done, kept, postponed],
  );
}

/** Ends a step, or begins its next pass over the records that the last one postponed. */
export async function endPass(client: PoolClient, undo: UndoKey, { position }: UndoStep, isDone: boolean) {
  await client.query(
    `UPDATE migration_undo_steps SET is_done = $4, checkpoint = NULL, moved = 0, postponed = 0
     WHERE organization_id = $1 AND migration_id = $2 AND position = $3`,
    [undo.organizationId, undo.migrationId, position, isDone],
  );
}

/** Why a record is kept. */
export type KeptCode = KeptRecord["code"];

export interface Kept {
  id: string;
  ext_id: string | null;
  code: KeptCode;
  by_resource: string | null;
  by_id: string | null;
}

/** Stores which records are kept, and why. A record that is already listed keeps its first reason. */
export async function storeKept(
  client: PoolClient,
  { organizationId, migrationId }: UndoKey,
  resource: ResourceName,
  kept: readonly Kept[],
): Promise<void> {
  if (kept.length === 0) return;
  await client.query(
    `INSERT INTO migration_undo_kept (organization_id, migration_id, id, resource, record_id, ext_id, code, by_resource,
       by_id)
     SELECT $1, $2, k.id, $3, k.record_id, k.ext_id, k.code, k.by_resource, k.by_id
     FROM jsonb_to_recordset($4) AS k (id uuid, record_id uuid, ext_id text, code text, by_resource text, by_id uuid)
     ON CONFLICT (organization_id, migration_id, resource, record_id) DO NOTHING`,
    [
      organizationId,
      migrationId,
      resource,
      JSON.stringify(kept.map(({ id, ...why }) => ({ ...why, id: newId(), record_id: id }))),
    ],
  );
}
