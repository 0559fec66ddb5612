import type { PoolClient } from "pg";

import { retriedTransaction, setStatementTimeout } from "@/lib/database/db";
import { advance, STATEMENT_TIMEOUT_MS, takeCarried, without } from "@/lib/migration/pipeline/load/load-page";
import { storeOutcomes } from "@/lib/migration/pipeline/load/store-outcomes";
import type { Plan } from "@/lib/migration/pipeline/map/plan";
import { transform } from "@/lib/migration/pipeline/map/transform";
import type { RunSession } from "@/lib/migration/pipeline/run-session";
import type { SourceRecord } from "@/lib/salesforce/query";
import { assertStorageQuota, countStoredBytes } from "@/lib/storage-quota";

/** Locks the progress of the object. False: the run was stopped, or another worker has gone further. */
export type Lock = (client: PoolClient) => Promise<boolean>;

/** They are not among what was counted in the source, before it was read or, of an object that has ended, after. */
const CARRY = `UPDATE migration_objects SET carried = carried + $4, expected = expected + $5, source = source + $5
  WHERE organization_id = $1 AND migration_id = $2 AND object = $3`;

/**
 * Stores records that are read beside the pages of their object, and counts those that change something: repeated, it
 * counts nothing twice. False: nothing was stored, because the lock failed.
 */
export async function storeBeside(
  { run, people, configuration }: RunSession,
  plan: Plan,
  records: readonly SourceRecord[],
  lock: Lock,
): Promise<boolean> {
  const { organizationId, migrationId } = run;
  await assertStorageQuota(organizationId);
  const outcomes = records.map((record) => transform(plan, record, people, organizationId));
  const stored = await retriedTransaction(async (client) => {
    await setStatementTimeout(client, STATEMENT_TIMEOUT_MS);
    if (!(await lock(client))) return null;
    const before = await takeCarried(client, run, plan, { outcomes });
    const target = { client, run, plan, choices: configuration };
    const { size, unchanged: _, ...counts } = await storeOutcomes(target, outcomes, null);
    const added = counts.created + counts.updated + counts.skipped + counts.failed;
    const more = added - before.skipped - before.failed;
    await client.query(CARRY, [organizationId, migrationId, plan.object.name, added, more]);
    await advance(client, run, plan.object.name, { last: null }, without({ ...counts, unchanged: 0 }, before));
    return size;
  });
  await countStoredBytes(organizationId, stored ?? 0);
  return stored !== null;
}
