import type { RunKey } from "@/lib/migration/migration-schema";
import type { PoolClient } from "pg";

import type { PageClusters } from "@/lib/migration/duplicates/run-clusters";
import { addCounts, subtractLeftOut, takeCarried, takeCarriedOfClusters } from "@/lib/migration/pipeline/object-counts";
import { storeLocked } from "@/lib/migration/pipeline/store-locked";
import { lockClusters } from "@/lib/migration/pipeline/load/merge/settled-clusters";
import { storeOutcomes } from "@/lib/migration/pipeline/load/store-outcomes";
import type { Plan } from "@/lib/migration/pipeline/map/plan";
import type { Outcome } from "@/lib/migration/pipeline/map/transform";
import type { LockProgress } from "@/lib/migration/pipeline/progress";
import type { RunSession } from "@/lib/migration/pipeline/run-session";

/**
 * Records outside the window of the run are in neither count of the source: `expected`, taken before reading, nor
 * `source`, taken at the end of the object, which is there already if it has ended. Both rise by those that were not
 * counted.
 */
const CARRY = `UPDATE migration_objects SET carried = carried + $4, expected = expected + $5, source = source + $5
  WHERE organization_id = $1 AND migration_id = $2 AND object = $3`;

interface OutsidePages {
  lock: LockProgress;
  /** Whether they are in the window of the run, so that the count at the end of the object has them. */
  isInWindow: boolean;
  /** The clusters of duplicates that they belong to; null if there are none. */
  clusters?: PageClusters | null;
}

/**
 * Stores what becomes of records that no page of their object has, and counts those that change something: repeated, it
 * counts nothing twice. False: nothing was stored, because the lock failed.
 */
export async function storeOutsidePages(
  { run, configuration: choices }: RunSession,
  plan: Plan,
  outcomes: readonly Outcome[],
  { lock, isInWindow, clusters = null }: OutsidePages,
): Promise<boolean> {
  const { organizationId, migrationId } = run;
  const stored = await storeLocked({ run, choices }, lock, async (client) => {
    const left = await withoutStored(client, run, outcomes, clusters);
    const before = await takeCarried(client, run, plan, left);
    const { size, unchanged: _, ...counts } = await storeOutcomes({ client, run, plan, choices }, left, clusters);
    const merged = await takeCarriedOfClusters(client, run, plan, clusters);
    const added = counts.created + counts.updated + counts.skipped + counts.failed;
    const all = subtractLeftOut(subtractLeftOut({ ...counts, unchanged: 0 }, before), merged);
    const more = all.created + all.updated + all.skipped + all.failed;
    if (!isInWindow) await client.query(CARRY, [organizationId, migrationId, plan.object.name, added, more]);
    await addCounts(client, run, plan.object.name, { last: null }, all);
    return { size };
  });
  return stored !== null;
}

/** Without the records whose clusters this run has stored, as they are now, and counted. */
async function withoutStored(
  client: PoolClient,
  { organizationId }: RunKey,
  outcomes: readonly Outcome[],
  page: PageClusters | null,
): Promise<readonly Outcome[]> {
  if (!page) return outcomes;
  const settled = await lockClusters(client, organizationId, page.searchId, page.clusters);
  return outcomes.filter((outcome) => "issue" in outcome || !settled.has(outcome.row.ext_id));
}
