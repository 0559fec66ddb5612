import type { PoolClient } from "pg";

import { pool, retriedTransaction } from "@/lib/database/db";
import type { Compared, Comparison } from "@/lib/migration/duplicates/compared-values";
import { lockSearch, type Search } from "@/lib/migration/duplicates/searches";
import { resolverOf, storeSource } from "@/lib/migration/duplicates/store-compared";
import { readByKeyset } from "@/lib/migration/pipeline/read/read-by-keyset";
import type { MigrationKey } from "@/lib/migration/migration-schema";
import { MAX_PAGE_RECORDS } from "@/lib/salesforce/answer-bounds";
import type { SalesforceClient } from "@/lib/salesforce/client";
import { soqlDateTime } from "@/lib/salesforce/query";
import { assertStorageQuota, countStoredBytes } from "@/lib/storage-quota";

export interface Bounds {
  deadline: number;
  /** Where a sample ends. Without it, a search goes on after the deadline. */
  records?: number;
}

/** Reads the source from the checkpoint of a search on. Null: time is up, or another search took its place. */
export async function readSource(
  key: MigrationKey,
  search: Search,
  client: SalesforceClient,
  comparison: Comparison,
  bounds: Bounds,
): Promise<{ search: Search; isCut: boolean } | null> {
  const resolve = await resolverOf(key, search);
  let { checkpoint } = search;
  let read = 0;
  for await (const records of readByKeyset(client, {
    from: search.object,
    fields: comparison.select,
    where: [`CreatedDate < ${soqlDateTime(search.read_until ?? new Date())}`, "IsDeleted = false"],
    after: checkpoint,
    all: true,
    size: { records: MAX_PAGE_RECORDS },
  })) {
    // Only the next page says whether there is more.
    if (isBeyond(bounds, read)) return endReading(key, { ...search, checkpoint }, true);
    await assertStorageQuota(key.organizationId);
    const compared = await comparison.ofSource(records, resolve);
    if (!(await storeRead(key, { ...search, checkpoint }, comparison, compared))) return null;
    checkpoint = compared.at(-1)?.member ?? null;
    read += records.length;
    if (bounds.records === undefined && performance.now() >= bounds.deadline) return null;
  }
  return endReading(key, { ...search, checkpoint }, false);
}

/** Whether a sample has ended. It has at least one page. */
function isBeyond({ deadline, records }: Bounds, read: number): boolean {
  return records !== undefined && read > 0 && (read >= records || performance.now() >= deadline);
}

function storeRead(
  key: MigrationKey,
  search: Search,
  { resource }: Comparison,
  compared: readonly Compared[],
): Promise<boolean> {
  return storePage(key, search, "source_records", async (tx) => {
    await storeSource(tx, { organizationId: key.organizationId, searchId: search.id }, resource, compared);
    return compared;
  });
}

async function endReading(key: MigrationKey, search: Search, isCut: boolean) {
  const { rowCount } = await pool().query(
    `UPDATE duplicate_searches SET status = 'reading_here', checkpoint = NULL
     WHERE organization_id = $1 AND id = $2 AND status = 'reading_source' AND checkpoint IS NOT DISTINCT FROM $3`,
    [key.organizationId, search.id, search.checkpoint],
  );
  return rowCount === 1 ? { search: { ...search, status: "reading_here" as const, checkpoint: null }, isCut } : null;
}

/** Stores a page with its checkpoint. False: another worker has gone further, or another search took its place. */
export async function storePage(
  { organizationId }: MigrationKey,
  search: Search,
  counter: "source_records" | "records_here",
  store: (client: PoolClient) => Promise<readonly Compared[]>,
): Promise<boolean> {
  const stored = await retriedTransaction(async (client) => {
    if (!(await lockSearch(client, organizationId, search))) return null;
    const page = await store(client);
    await client.query(
      `UPDATE duplicate_searches SET checkpoint = coalesce($3, checkpoint), ${counter} = ${counter} + $4
       WHERE organization_id = $1 AND id = $2`,
      [organizationId, search.id, page.at(-1)?.member ?? null, page.length],
    );
    return page;
  });
  if (stored) await countStoredBytes(organizationId, JSON.stringify(stored).length);
  return stored !== null;
}
