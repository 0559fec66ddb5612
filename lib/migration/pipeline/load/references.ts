import type { RunKey } from "@/lib/migration/migration-schema";
import type { PoolClient } from "pg";

import { retriedTransaction, setStatementTimeout } from "@/lib/database/db";
import { fieldOf } from "@/lib/migration/configuration/mapping-rules";
import { STATEMENT_TIMEOUT_MS } from "@/lib/migration/long-statements";
import { keepBefore } from "@/lib/migration/pipeline/load/before-images";
import {
  eventIdsFor,
  lockImported,
  enqueueEmitted,
  emitClause,
  EMITTED_WEBHOOKS,
} from "@/lib/migration/pipeline/load/emit-imported";
import { findHere } from "@/lib/migration/pipeline/load/find-here";
import { healingLinksOf, IS_PARENT, lacks, linkText, parentsIn } from "@/lib/migration/pipeline/load/self-links";
import type { Link, ShapePlan } from "@/lib/migration/pipeline/map/plan";
import type { Row } from "@/lib/migration/pipeline/map/transform";
import type { LockProgress } from "@/lib/migration/pipeline/progress";
import { lockDeletionsExclusive } from "@/lib/records/delete/delete-record";

/** How many links one statement makes. */
const BATCH_SIZE = 2000;

interface Linking {
  plan: ShapePlan;
  link: Link;
  key: RunKey;
  /** Whether events are emitted of the links, which earlier events of the records lack. */
  emits: boolean;
}

/**
 * Links records to records of the same object that were imported after them: an account to its parent account. Until
 * then the source id is in `custom_fields`; it stays there if that record is never imported. A record whose parent was
 * merged into it gets none. Each batch is a separate transaction: no lock is kept for long, and linked records are not
 * found again when this is repeated. Stops when `lock` fails. False: the deadline has come.
 */
export async function linkSelfReferences(
  plan: ShapePlan,
  key: RunKey,
  { emits, lock, deadline }: { emits: boolean; lock: LockProgress; deadline: number },
): Promise<boolean> {
  for (const link of healingLinksOf(plan)) {
    const linking = { plan, link, key, emits };
    let last = await linkBatch(linking, lock, null);
    while (last !== null) {
      if (performance.now() >= deadline) return false;
      last = await linkBatch(linking, lock, last);
    }
  }
  return true;
}

/** As {@link linkSelfReferences}, for these records alone, without events and in the transaction of the caller. */
export async function linkSelfReferencesOf(
  client: PoolClient,
  plan: ShapePlan,
  key: RunKey,
  extIds: readonly string[],
): Promise<void> {
  for (const link of healingLinksOf(plan)) await linkThese(client, { plan, link, key, emits: false }, extIds);
}

/** Links the records that come after the record `after`. Returns the last one; null: none is to be linked. */
function linkBatch(linking: Linking, lock: LockProgress, after: string | null): Promise<string | null> {
  return retriedTransaction(async (client) => {
    await setStatementTimeout(client, STATEMENT_TIMEOUT_MS);
    if (!(await lock(client))) return null;
    await lockDeletionsExclusive(client, linking.key.organizationId);
    const found = await findWaiting(client, linking, after);
    const extIds = found.map(({ ext_id }) => ext_id);
    if (extIds.length > 0) await linkThese(client, linking, extIds);
    return found.at(-1)?.id ?? null;
  });
}

/**
 * Records that lack the link to a record which is here, oldest first. They are read in the order of the primary key,
 * and each one's parent is looked up, until there are enough: PostgreSQL, which cannot know how many lack one, might
 * join and sort all records for every batch.
 */
async function findWaiting(
  client: PoolClient,
  { plan: { shape }, link, key }: Linking,
  after: string | null,
): Promise<{ id: string; ext_id: string }[]> {
  await client.query("SET LOCAL enable_sort = off");
  const { rows } = await client.query<{ id: string; ext_id: string }>(
    `SELECT r.id, r.ext_id FROM ${shape.resource} AS r CROSS JOIN LATERAL (
       SELECT FROM ${parentsIn(shape.resource)} WHERE ${IS_PARENT} LIMIT 1
     ) AS found
     WHERE ${lacks(link)} AND ($3::uuid IS NULL OR r.id > $3) ORDER BY r.id LIMIT ${BATCH_SIZE}`,
    [key.organizationId, link.field, after],
  );
  await client.query("SET LOCAL enable_sort = on");
  return rows;
}

async function linkThese(
  client: PoolClient,
  { plan, link, key: run, emits }: Linking,
  extIds: readonly string[],
): Promise<void> {
  const { organizationId, migrationId } = run;
  const { resource } = plan.shape;
  await lockImported(client, resource, organizationId, extIds);
  const linked = `WITH stored AS (
      ${linkText(plan, link, run)} AND r.ext_id = ANY ($4::text[])
      RETURNING r.*, false AS inserted
    ), ${keepBefore(resource, { overwrites: false })}`;
  const values = [organizationId, link.field, migrationId, extIds];
  if (!emits) {
    await client.query(`${linked} SELECT`, values);
    return;
  }
  const { rows } = await client.query<{ webhooks: string[] }>(
    `${linked}, ${emitClause(resource, "ext_id", "$5")} SELECT ${EMITTED_WEBHOOKS}`,
    [...values, eventIdsFor(extIds)],
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
