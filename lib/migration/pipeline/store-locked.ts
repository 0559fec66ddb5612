import type { RunKey } from "@/lib/migration/migration-schema";
import type { PoolClient } from "pg";

import { retriedTransaction, setStatementTimeout } from "@/lib/database/db";
import { STATEMENT_TIMEOUT_MS } from "@/lib/migration/long-statements";
import type { StoreChoices } from "@/lib/migration/pipeline/load/merge/store-merges";
import type { LockProgress } from "@/lib/migration/pipeline/progress";
import { assertStorageQuota, countStoredBytes } from "@/lib/storage-quota";

/**
 * Does the work of `store` in one transaction, if `lock` locks the progress of the object; else returns null. An event
 * is about as large as the record that it tells of. Throws `storage_quota_exceeded`.
 */
export async function storeLocked<Stored extends { size: number }>(
  { run, choices }: { run: RunKey; choices: StoreChoices },
  lock: LockProgress,
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
