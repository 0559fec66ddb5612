import type { RunKey } from "@/lib/migration/migration-schema";
import type { PoolClient } from "pg";

import { overtakenBy, retriedTransaction } from "@/lib/database/db";
import { FOREIGN_KEY_VIOLATION } from "@/lib/database/error-codes";
import { fieldOf } from "@/lib/migration/configuration/mapping-rules";
import { assertNotRaced, keepBefore, RACED } from "@/lib/migration/pipeline/load/before-images";
import {
  eventIdsFor,
  lockImported,
  enqueueEmitted,
  emitClause,
  EMITTED_WEBHOOKS,
} from "@/lib/migration/pipeline/load/emit-imported";
import { findHere } from "@/lib/migration/pipeline/load/find-here";
import { healingLinksOf, linkText, parentsIn, waitsFor } from "@/lib/migration/pipeline/load/self-links";
import type { Link, ShapePlan } from "@/lib/migration/pipeline/map/plan";
import type { Row } from "@/lib/migration/pipeline/map/transform";
import type { LockProgress } from "@/lib/migration/pipeline/progress";
import { lockDeletionsExclusive } from "@/lib/records/delete/delete-record";

const LINKED = { overwrites: false };

/** How many links one statement makes. */
const BATCH_SIZE = 2000;

/**
 * Links records to records of the same object that were imported after them: an account to its parent account. Until
 * then the source id is in `custom_fields`; it stays there if that record is never imported. A record whose parent was
 * merged into it gets none. With `only`, links these records alone.
 */
export async function linkSelfReferences(
  client: PoolClient,
  plan: ShapePlan,
  run: RunKey,
  only?: readonly string[],
): Promise<void> {
  const { organizationId, migrationId } = run;
  const { resource } = plan.shape;
  for (const link of healingLinksOf(plan)) {
    const text = `WITH stored AS (
      ${linkText(plan, link, run)} ${only ? "AND r.ext_id = ANY ($4::text[])" : ""}
      RETURNING r.id, r.version, r.migration_id, false AS inserted
    ), ${keepBefore(resource, LINKED)}
    SELECT ${RACED}`;
    const values = [organizationId, link.field, migrationId, ...(only ? [only] : [])];
    // A parent may be deleted meanwhile: one statement links a whole object, and must not block deletions for so long.
    const { rows } = await client.query<{ raced: boolean }>(text, values).catch((error: unknown) => {
      throw overtakenBy(FOREIGN_KEY_VIOLATION, error);
    });
    assertNotRaced(rows[0]);
  }
}

interface Linking {
  plan: ShapePlan;
  link: Link;
  key: RunKey;
  lock: LockProgress;
}

/**
 * As {@link linkSelfReferences}, and emits events of the links, which earlier events of the records lack. Each batch is
 * a separate transaction that both links and emits: no lock is kept for long, and linked records are not found again
 * when this is repeated. Stops when `lock` fails.
 */
export async function linkAndEmit(plan: ShapePlan, key: RunKey, lock: LockProgress): Promise<void> {
  for (const link of healingLinksOf(plan)) {
    const linking = { plan, link, key, lock };
    let last = await linkBatch(linking, null);
    while (last !== null) last = await linkBatch(linking, last);
  }
}

/** Links the records that come after the record `after`. Returns the last one; null: none is to be linked. */
function linkBatch(linking: Linking, after: string | null): Promise<string | null> {
  return retriedTransaction(async (client) => {
    if (!(await linking.lock(client))) return null;
    await lockDeletionsExclusive(client, linking.key.organizationId);
    const found = await findWaiting(client, linking, after);
    if (found.length > 0) await linkFound(client, linking, found);
    return found.at(-1)?.id ?? null;
  });
}

interface Waiting {
  id: string;
  ext_id: string;
}

/** Records that lack the link to a record which is here, oldest first. */
async function findWaiting(
  client: PoolClient,
  { plan: { shape }, link, key }: Linking,
  after: string | null,
): Promise<Waiting[]> {
  const { rows } = await client.query<Waiting>(
    `SELECT r.id, r.ext_id FROM ${shape.resource} AS r, ${parentsIn(shape.resource)}
     WHERE ${waitsFor(link)} AND ($3::uuid IS NULL OR r.id > $3) ORDER BY r.id LIMIT ${BATCH_SIZE}`,
    [key.organizationId, link.field, after],
  );
  return rows;
}

async function linkFound(client: PoolClient, { plan, link, key }: Linking, found: readonly Waiting[]): Promise<void> {
  const { organizationId, migrationId } = key;
  const { resource } = plan.shape;
  const extIds = found.map(({ ext_id }) => ext_id);
  await lockImported(client, resource, organizationId, extIds);
  const { rows } = await client.query<{ webhooks: string[] }>(
    `WITH stored AS (
      ${linkText(plan, link, key)} AND r.ext_id = ANY ($5::text[])
      RETURNING r.*, false AS inserted
    ), ${keepBefore(resource, LINKED)}, ${emitClause(resource)}
    SELECT ${EMITTED_WEBHOOKS}`,
    [organizationId, link.field, migrationId, eventIdsFor(extIds), extIds],
  );
  enqueueEmitted(client, organizationId, rows[0]);
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
    const { references: target } = fieldOf(shape.resource, column);
    if (candidates.length === 0 || !target || target === "users") continue;
    const extIds = candidates.flatMap((row) => [row[column], row.fallbacks?.[column]?.extId]);
    const existing = await findHere(client, organizationId, target, extIds);
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
