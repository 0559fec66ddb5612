import type { RunKey } from "@/lib/migration/migration-schema";
import type { PoolClient } from "pg";

import { retriedTransaction, setStatementTimeout, transaction } from "@/lib/database/db";
import { MAX_UUID, MIN_UUID } from "@/lib/ids";
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
import { findText, healingLinksOf, linkText } from "@/lib/migration/pipeline/load/self-links";
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

interface LinkingInSlices extends Pick<Linking, "emits"> {
  lock: LockProgress;
  deadline: number;
  /** Field of a link → the record up to which it is made: the next slice goes on behind it. */
  linked: Map<string, string>;
}

/**
 * Links records to records of the same object that were imported after them: an account to its parent account. Until
 * then the source id is in `custom_fields`; it stays there if that record is never imported. A record whose parent was
 * merged into it gets none. Each batch is a separate transaction: no lock is kept for long, and none for the search.
 * False: the deadline has come, or `lock` has failed.
 */
export async function linkSelfReferences(
  plan: ShapePlan,
  key: RunKey,
  { emits, lock, deadline, linked }: LinkingInSlices,
): Promise<boolean> {
  for (const link of healingLinksOf(plan)) {
    const linking = { plan, link, key, emits };
    for (;;) {
      const found = await findUnlinked(linking, linked.get(link.field) ?? MIN_UUID);
      const last = found.at(-1);
      if (!last) break;
      if (!(await linkBatch(linking, lock, found))) return false;
      linked.set(link.field, last.id);
      if (performance.now() >= deadline) return false;
    }
    linked.set(link.field, MAX_UUID);
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

/** Links those of the records that still lack the link. False: `lock` has failed. */
function linkBatch(linking: Linking, lock: LockProgress, found: readonly { ext_id: string }[]): Promise<boolean> {
  const extIds = found.map(({ ext_id }) => ext_id);
  return retriedTransaction(async (client) => {
    await setStatementTimeout(client, STATEMENT_TIMEOUT_MS);
    if (!(await lock(client))) return false;
    await lockDeletionsExclusive(client, linking.key.organizationId);
    await linkThese(client, linking, extIds);
    return true;
  });
}

/** Reads before any lock is taken: the last batch looks at every record that is left. */
function findUnlinked({ plan, link, key }: Linking, after: string): Promise<{ id: string; ext_id: string }[]> {
  return transaction(async (client) => {
    await setStatementTimeout(client, STATEMENT_TIMEOUT_MS);
    await client.query("SET LOCAL enable_sort = off");
    const values = [key.organizationId, link.field, after];
    const { rows } = await client.query<{ id: string; ext_id: string }>(findText(plan, link, BATCH_SIZE), values);
    return rows;
  });
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
