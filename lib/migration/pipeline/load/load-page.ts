import type { PoolClient } from "pg";

import { afterCommit, retriedTransaction, setStatementTimeout } from "@/lib/database/db";
import type { PageClusters } from "@/lib/migration/duplicates/run-clusters";
import type { MigratedObjectName } from "@/lib/migration/objects/migrated-objects";
import type { StoreChoices } from "@/lib/migration/pipeline/load/merge/store-merges";
import { type Counts, storeOutcomes } from "@/lib/migration/pipeline/load/store-outcomes";
import type { Plan } from "@/lib/migration/pipeline/map/plan";
import type { Outcome } from "@/lib/migration/pipeline/map/transform";
import { type BulkProgress, type Lock, lockAtCheckpoint, type RunKey } from "@/lib/migration/pipeline/progress";
import { metrics } from "@/lib/observability/instruments";
import { assertStorageQuota, countStoredBytes } from "@/lib/storage-quota";

export interface Page {
  outcomes: readonly Outcome[];
  /** How many more records it has, which are here as they are in the source. */
  unchanged?: number;
  /** The checkpoint before the page, and the one after it. */
  after: string | null;
  last: string;
  /** Whether what earlier runs left out is still listed, so that the page replaces it. */
  isDelta?: boolean;
  /** Stored with the page, if the Bulk API is read. */
  bulkJob?: BulkProgress;
  /** The clusters of duplicates that its records belong to; null if there are none. */
  clusters: PageClusters | null;
}

/** Long, because nobody waits for an answer, and the table may have no statistics or the disk may be slow. */
export const STATEMENT_TIMEOUT_MS = 10 * 60_000;

/**
 * The next page does not wait for the disk (PostgreSQL manual §28.4). If the server crashes, the last pages are lost
 * with their checkpoint, and are repeated. Whatever commits later, such as the end of the run, makes them durable.
 * Events may have left the service by then, so pages with events wait.
 */
const COMMIT_WITHOUT_WAITING = "SET LOCAL synchronous_commit = off";

/**
 * Stores a page of records, its checkpoint and its counts in one transaction. Returns the size of the page in
 * characters of JSON; null if the run was stopped or another worker has gone further, and nothing was written. Throws
 * `storage_quota_exceeded`.
 */
export async function loadPage(run: RunKey, plan: Plan, page: Page, choices: StoreChoices): Promise<number | null> {
  const lock: Lock = (client) => lockAtCheckpoint(client, run, plan.object.name, page.after);
  const stored = await storeLocked({ run, choices }, lock, async (client) => {
    if (!choices.send_events) await client.query(COMMIT_WITHOUT_WAITING);
    const before = page.isDelta ? await takeCarried(client, run, plan, page.outcomes) : NOTHING;
    const { size, ...counts } = await storeOutcomes({ client, run, plan, choices }, page.outcomes, page.clusters);
    const all = { ...counts, unchanged: counts.unchanged + (page.unchanged ?? 0) };
    await advance(client, run, plan.object.name, page, without(all, before));
    afterCommit(client, async () => countImported(plan.object.name, all));
    return { size };
  });
  return stored?.size ?? null;
}

/**
 * Does the work of `store` in one transaction, if `lock` locks the progress of the object; else returns null. An event
 * is about as large as the record that it tells of. Throws `storage_quota_exceeded`.
 */
export async function storeLocked<Stored extends { size: number }>(
  { run, choices }: { run: RunKey; choices: StoreChoices },
  lock: Lock,
  store: (client: PoolClient) => Promise<Stored>,
): Promise<Stored | null> {
  await assertStorageQuota(run.organizationId);
  const stored = await retriedTransaction(async (client) => {
    await setStatementTimeout(client, STATEMENT_TIMEOUT_MS);
    return (await lock(client)) ? store(client) : null;
  });
  await countStoredBytes(run.organizationId, (stored?.size ?? 0) * (choices.send_events ? 2 : 1));
  return stored;
}

function countImported(object: MigratedObjectName, counts: Counts): void {
  const counter = metrics()?.importedRecords;
  for (const [outcome, count] of Object.entries(counts)) if (count > 0) counter?.inc({ object, outcome }, count);
}

type Left = Pick<Counts, "skipped" | "failed">;

const NOTHING: Left = { skipped: 0, failed: 0 };

export function without<T extends Left>(counts: T, { skipped, failed }: Left): T {
  return { ...counts, skipped: counts.skipped - skipped, failed: counts.failed - failed };
}

/** Forgets why records were left out before, and returns how many were: something else becomes of them now. */
export async function forgetIssues(
  client: PoolClient,
  run: RunKey,
  object: MigratedObjectName,
  ids: readonly string[],
): Promise<Left> {
  const { rows } = await client.query<Left>(
    `WITH removed AS (
       DELETE FROM migration_record_issues
       WHERE organization_id = $1 AND migration_id = $2 AND object = $3 AND ext_id = ANY ($4::text[])
       RETURNING outcome
     ) SELECT count(*) FILTER (WHERE outcome = 'skipped')::int AS skipped,
       count(*) FILTER (WHERE outcome = 'failed')::int AS failed FROM removed`,
    [run.organizationId, run.migrationId, object, ids],
  );
  return rows[0] ?? NOTHING;
}

/** As {@link forgetIssues}, for records that a delta reads: they are no longer carried over from the runs before. */
export async function takeCarried(
  client: PoolClient,
  run: RunKey,
  { object }: Plan,
  outcomes: readonly Outcome[],
): Promise<Left> {
  const ids = outcomes.map((outcome) => ("issue" in outcome ? outcome.issue.ext_id : outcome.row.ext_id));
  const left = await forgetIssues(client, run, object.name, ids);
  await client.query(
    `UPDATE migration_objects SET carried = carried - $4
     WHERE organization_id = $1 AND migration_id = $2 AND object = $3`,
    [run.organizationId, run.migrationId, object.name, left.skipped + left.failed],
  );
  return left;
}

/** Adds to the counts of an object, and moves its checkpoint unless it is null. */
export async function advance(
  client: PoolClient,
  run: RunKey,
  object: MigratedObjectName,
  { last, bulkJob }: Pick<Page, "bulkJob"> & { last: string | null },
  counts: Counts,
): Promise<void> {
  await client.query(
    `UPDATE migration_objects SET checkpoint = coalesce($4, checkpoint), created = created + $5, updated = updated + $6,
       unchanged = unchanged + $7, skipped = skipped + $8, failed = failed + $9,
       bulk_job = coalesce($10::jsonb, bulk_job)
     WHERE organization_id = $1 AND migration_id = $2 AND object = $3`,
    [
      run.organizationId,
      run.migrationId,
      object,
      last,
      counts.created,
      counts.updated,
      counts.unchanged,
      counts.skipped,
      counts.failed,
      bulkJob ? JSON.stringify(bulkJob) : null,
    ],
  );
}
