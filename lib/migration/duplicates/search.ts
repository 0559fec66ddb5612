import type { PoolClient } from "pg";

import { pool, retriedTransaction, setStatementTimeout } from "@/lib/database/db";
import { clusterRecords } from "@/lib/migration/duplicates/cluster";
import { type Compared, Comparison } from "@/lib/migration/duplicates/compared-values";
import { lockSearch, type Search } from "@/lib/migration/duplicates/searches";
import { resolverOf, storeHere, storeSource } from "@/lib/migration/duplicates/stored-records";
import type { Plan } from "@/lib/migration/pipeline/map/plan";
import { readByKeyset } from "@/lib/migration/pipeline/read/read-by-keyset";
import type { MigrationKey } from "@/lib/migration/status";
import { MAX_PAGE_RECORDS } from "@/lib/salesforce/answer-bounds";
import type { SalesforceClient } from "@/lib/salesforce/client";
import { soqlDateTime } from "@/lib/salesforce/query";
import { assertStorageQuota, countStoredBytes } from "@/lib/storage-quota";

export interface SearchSource {
  client: SalesforceClient;
  plan: Plan;
}

/** Of records that are here; they have few fields. */
const PAGE_HERE = 5000;

/** Statements on all records of a search. */
const STATEMENT_TIMEOUT_MS = 10 * 60_000;

/**
 * Works on a search from its checkpoint until `deadline`. True: it is done. Each page is stored with its checkpoint, so
 * a search that is killed repeats at most one page; a repeated page changes nothing.
 */
export async function workSearch(
  key: MigrationKey,
  search: Search,
  source: SearchSource,
  deadline: number,
): Promise<boolean> {
  const comparison = new Comparison(source.plan, search.choices);
  let current = search;
  if (current.status === "reading_source") {
    const read = await readSource(key, current, source.client, comparison, deadline);
    if (!read) return false;
    current = read;
  }
  if (current.status === "reading_here") return compareHere(key, current, comparison, deadline);
  return current.status === "done";
}

async function readSource(
  key: MigrationKey,
  search: Search,
  client: SalesforceClient,
  comparison: Comparison,
  deadline: number,
): Promise<Search | null> {
  const owned = { organizationId: key.organizationId, searchId: search.id };
  const resolve = await resolverOf(key, search);
  let { checkpoint } = search;
  for await (const records of readByKeyset(client, {
    from: search.object,
    fields: comparison.select,
    where: [`CreatedDate < ${soqlDateTime(search.read_until ?? new Date())}`, "IsDeleted = false"],
    after: checkpoint,
    all: true,
    size: { records: MAX_PAGE_RECORDS },
  })) {
    await assertStorageQuota(key.organizationId);
    const compared = await comparison.ofSource(records, resolve);
    const isStored = await storePage(key, { ...search, checkpoint }, "source_records", async (tx) => {
      await storeSource(tx, owned, comparison.resource, compared);
      return compared;
    });
    if (!isStored) return null;
    checkpoint = compared.at(-1)?.member ?? null;
    if (Date.now() >= deadline) return null;
  }
  const { rowCount } = await pool().query(
    `UPDATE duplicate_searches SET status = 'reading_here', checkpoint = NULL
     WHERE organization_id = $1 AND id = $2 AND status = 'reading_source' AND checkpoint IS NOT DISTINCT FROM $3`,
    [key.organizationId, search.id, checkpoint],
  );
  return rowCount === 1 ? { ...search, status: "reading_here", checkpoint: null } : null;
}

async function compareHere(
  key: MigrationKey,
  search: Search,
  comparison: Comparison,
  deadline: number,
): Promise<boolean> {
  const owned = { organizationId: key.organizationId, searchId: search.id };
  let { checkpoint } = search;
  while (search.choices.compare_with === "everything" && search.choices.rules.length > 0) {
    let read: Compared[] = [];
    const isStored = await storePage(key, { ...search, checkpoint }, "records_here", async (tx) => {
      read = await comparison.here(tx, owned, checkpoint, PAGE_HERE);
      await storeHere(tx, owned, read);
      return read;
    });
    if (!isStored) return false;
    if (read.length < PAGE_HERE) break;
    checkpoint = read.at(-1)?.member ?? null;
    if (Date.now() >= deadline) return false;
  }
  return finishSearch(key, { ...search, checkpoint });
}

/** Divides the records into clusters and ends the search, in one transaction. */
async function finishSearch(key: MigrationKey, search: Search): Promise<boolean> {
  return retriedTransaction(async (client) => {
    await setStatementTimeout(client, STATEMENT_TIMEOUT_MS);
    if (!(await lockSearch(client, key.organizationId, search))) return false;
    const found = await clusterRecords(client, key.organizationId, search.id, search.choices.survivor);
    await client.query(
      `UPDATE duplicate_searches SET status = 'done', finished_at = now(), clusters = $3, duplicates = $4
       WHERE organization_id = $1 AND id = $2`,
      [key.organizationId, search.id, found.clusters, found.duplicates],
    );
    return true;
  });
}

/** Stores a page with its checkpoint. False: another worker has gone further, or another search took its place. */
async function storePage(
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
