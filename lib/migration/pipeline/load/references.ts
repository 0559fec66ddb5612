import type { PoolClient } from "pg";

import { pool, retriedTransaction } from "@/lib/database/db";
import { fieldOf } from "@/lib/migration/configuration/mapping-rules";
import { assertNotRaced, keepBefore, RACED } from "@/lib/migration/pipeline/load/before-images";
import {
  eventIdsFor,
  lockImported,
  enqueueEmitted,
  emitClause,
  EMITTED_WEBHOOKS,
} from "@/lib/migration/pipeline/load/emit-imported";
import { type Link, selfLinksOf, type ShapePlan } from "@/lib/migration/pipeline/map/plan";
import type { Row } from "@/lib/migration/pipeline/map/transform";
import type { MigrationKey } from "@/lib/migration/status";

const LINKED = { raises: false, overwrites: false };

/** How many links one statement makes. */
const BATCH_SIZE = 2000;

/** The links to records of the same object that are made when all of them are stored. */
function healingLinksOf(plan: ShapePlan): Link[] {
  return selfLinksOf(plan).filter(({ choice }) => choice === "heal");
}

/**
 * Links records to records of the same object that were imported after them: an account to its parent account. Until
 * then the source id is in `custom_fields`; it stays there if that record is never imported. This is part of the
 * import, so versions stay. A record whose parent was merged into it gets none. With `only`, links these records alone.
 */
export async function linkSelfReferences(
  client: PoolClient,
  plan: ShapePlan,
  { organizationId, migrationId }: MigrationKey,
  only?: readonly string[],
): Promise<void> {
  const { resource } = plan.shape;
  for (const link of healingLinksOf(plan)) {
    const text = `WITH stored AS (
      ${linkText(plan, link)} ${only ? "AND r.ext_id = ANY ($4::text[])" : ""}
      RETURNING r.id, r.version, r.migration_id, false AS inserted
    ), ${keepBefore(resource, LINKED)}
    SELECT ${RACED}`;
    const { rows } = await client.query<{ raced: boolean }>(text, [
      organizationId,
      link.field,
      migrationId,
      ...(only ? [only] : []),
    ]);
    assertNotRaced(rows[0]);
  }
}

/**
 * As {@link linkSelfReferences}, and emits events of the links, which earlier events of the records lack. Each batch is
 * a separate transaction that both links and emits: no lock is kept for long, and linked records are not found again
 * when this is repeated. Stops when `lock` fails.
 */
export async function linkAndEmit(
  plan: ShapePlan,
  { organizationId, migrationId }: MigrationKey,
  lock: (client: PoolClient) => Promise<boolean>,
): Promise<void> {
  for (const link of healingLinksOf(plan)) {
    const text = `WITH stored AS (
      ${linkText(plan, link)} AND r.ext_id = ANY ($5::text[])
      RETURNING r.*, false AS inserted
    ), ${keepBefore(plan.shape.resource, LINKED)}, ${emitClause(plan.shape.resource)}
    SELECT ${EMITTED_WEBHOOKS}`;
    const extIds = await findWaiting(plan, link, organizationId);
    for (let start = 0; start < extIds.length; start += BATCH_SIZE) {
      const batch = extIds.slice(start, start + BATCH_SIZE);
      const isLocked = await retriedTransaction(async (client) => {
        if (!(await lock(client))) return false;
        await lockImported(client, plan.shape.resource, organizationId, batch);
        const { rows } = await client.query<{ webhooks: string[] }>(text, [
          organizationId,
          link.field,
          migrationId,
          eventIdsFor(batch),
          batch,
        ]);
        enqueueEmitted(client, organizationId, rows[0]);
        return true;
      });
      if (!isLocked) return;
    }
  }
}

/** The source ids of records that wait for one of the same object, oldest first. */
async function findWaiting(
  { shape: { resource } }: ShapePlan,
  { column, field }: Link,
  organizationId: string,
): Promise<string[]> {
  const waiting = `SELECT r.ext_id FROM ${resource} r WHERE ${unlinked(column)} ORDER BY r.id`;
  const { rows } = await pool().query<{ ext_id: string }>(waiting, [organizationId, field]);
  return rows.map(({ ext_id }) => ext_id);
}

/** $1: the organization, $2: the source field. */
function linkText({ shape: { resource } }: ShapePlan, { column }: Link): string {
  return `UPDATE ${resource} AS r SET ${column} = parent.id, custom_fields = r.custom_fields - $2::text
       FROM (
         SELECT organization_id, ext_id, id, false AS is_merged FROM ${resource}
         UNION ALL SELECT organization_id, ext_id, record_id, true FROM ext_aliases WHERE entity = '${resource}'
       ) AS parent
       WHERE ${unlinked(column)} AND NOT (parent.is_merged AND parent.id = r.id)
         AND parent.organization_id = $1 AND parent.ext_id = r.custom_fields ->> $2::text`;
}

function unlinked(column: string): string {
  return `r.organization_id = $1 AND r.${column} IS NULL AND r.custom_fields ? $2::text AND r.ext_id IS NOT NULL`;
}

/**
 * Replaces a reference by its fallback if the first record does not exist and the second does: an activity about an
 * account that was deleted in the source still belongs to the account of its AccountId. The unresolved id is kept in
 * `custom_fields`. Changes the rows.
 */
export async function applyFallbacks(
  client: PoolClient,
  { shape, references }: ShapePlan,
  organizationId: string,
  rows: readonly Row[],
): Promise<void> {
  for (const column of references) {
    const candidates = rows.filter(({ fallbacks }) => fallbacks?.[column]);
    if (candidates.length === 0) continue;
    const extIds = candidates.flatMap((row) => [row[column], row.fallbacks?.[column]?.extId]);
    const { rows: found } = await client.query<{ ext_id: string }>(
      `SELECT ext_id FROM ${fieldOf(shape.resource, column).references} WHERE organization_id = $1
         AND ext_id = ANY($2::text[])
       UNION ALL SELECT ext_id FROM ext_aliases WHERE organization_id = $1 AND ext_id = ANY($2::text[])
         AND entity = '${fieldOf(shape.resource, column).references}'`,
      [organizationId, extIds],
    );
    const existing = new Set(found.map(({ ext_id }) => ext_id));
    for (const row of candidates) applyFallback(row, column, existing);
  }
}

function applyFallback(row: Row, column: string, existing: ReadonlySet<string>): void {
  const second = row.fallbacks?.[column];
  const first = String(row[column]);
  if (!second || existing.has(first) || !existing.has(second.extId)) return;
  const { [second.from]: _, ...others } = row.custom_fields;
  row.custom_fields = { ...others, [String(row[`${column}_from`])]: first };
  row[column] = second.extId;
  row[`${column}_from`] = second.from;
  row.source_digest = null;
}
