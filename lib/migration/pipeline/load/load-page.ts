import { afterCommit } from "@/lib/database/db";
import type { PageClusters } from "@/lib/migration/duplicates/run-clusters";
import type { RunKey } from "@/lib/migration/migration-schema";
import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";
import type { StoreChoices } from "@/lib/migration/pipeline/load/merge/store-merges";
import { type Counts, storeOutcomes } from "@/lib/migration/pipeline/load/store-outcomes";
import type { Plan } from "@/lib/migration/pipeline/map/plan";
import type { Outcome } from "@/lib/migration/pipeline/map/transform";
import {
  addCounts,
  NONE_LEFT_OUT,
  subtractLeftOut,
  takeCarried,
  takeCarriedOfClusters,
} from "@/lib/migration/pipeline/object-counts";
import { type BulkProgress, type LockProgress, lockAtCheckpoint } from "@/lib/migration/pipeline/progress";
import { storeLocked } from "@/lib/migration/pipeline/store-locked";
import { metrics } from "@/lib/observability/instruments";

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
  const lock: LockProgress = (client) => lockAtCheckpoint(client, run, plan.object.name, page.after);
  const stored = await storeLocked({ run, choices }, lock, async (client) => {
    if (!choices.send_events) await client.query(COMMIT_WITHOUT_WAITING);
    const before = page.isDelta ? await takeCarried(client, run, plan, page.outcomes) : NONE_LEFT_OUT;
    const { size, ...counts } = await storeOutcomes({ client, run, plan, choices }, page.outcomes, page.clusters);
    const merged = page.isDelta ? await takeCarriedOfClusters(client, run, plan, page.clusters) : NONE_LEFT_OUT;
    const all = { ...counts, unchanged: counts.unchanged + (page.unchanged ?? 0) };
    await addCounts(client, run, plan.object.name, page, subtractLeftOut(subtractLeftOut(all, before), merged));
    afterCommit(client, async () => countImported(plan.object.name, all));
    return { size };
  });
  return stored?.size ?? null;
}

function countImported(object: SourceObjectName, counts: Counts): void {
  const counter = metrics()?.importedRecords;
  for (const [outcome, count] of Object.entries(counts)) if (count > 0) counter?.inc({ object, outcome }, count);
}
