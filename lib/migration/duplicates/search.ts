import { pool, retriedTransaction, setStatementTimeout } from "@/lib/database/db";
import { clusterRecords } from "@/lib/migration/duplicates/cluster";
import { type Compared, Comparison } from "@/lib/migration/duplicates/compared-values";
import { type Bounds, readSource, storePage } from "@/lib/migration/duplicates/read-source";
import { lockSearch, type Search } from "@/lib/migration/duplicates/searches";
import { storeHere } from "@/lib/migration/duplicates/store-compared";
import { STATEMENT_TIMEOUT_MS } from "@/lib/migration/long-statements";
import type { Plan } from "@/lib/migration/pipeline/map/plan";
import type { MigrationKey } from "@/lib/migration/migration-schema";
import type { SalesforceClient } from "@/lib/salesforce/client";

export interface SearchSource {
  client: SalesforceClient;
  plan: Plan;
}

/** The size of a page of records that are here; they have few fields. */
const PAGE_HERE = 5000;

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
    const read = await readSource(key, current, source.client, comparison, { deadline });
    if (!read) return false;
    current = read.search;
  }
  if (current.status === "reading_here") return compareHere(key, current, comparison, { deadline });
  return current.status === "done";
}

/**
 * Searches among the first `records` of the source, or as many as are read until `deadline`, and among as many here.
 * Null: another search took its place.
 */
export async function searchSample(
  key: MigrationKey,
  search: Search,
  source: SearchSource,
  { records, deadline }: Bounds & { records: number },
): Promise<"searched" | "sampled" | null> {
  const comparison = new Comparison(source.plan, search.choices);
  const read = await readSource(key, search, source.client, comparison, { records, deadline });
  if (!read || !(await compareHere(key, read.search, comparison, { records, deadline: Infinity }))) return null;
  return read.isCut ? "sampled" : "searched";
}

async function compareHere(
  key: MigrationKey,
  search: Search,
  comparison: Comparison,
  { deadline, records: max = Infinity }: Bounds,
): Promise<boolean> {
  const owned = { organizationId: key.organizationId, searchId: search.id };
  let { checkpoint } = search;
  let compared = 0;
  while (search.choices.compare_with === "everything" && search.choices.rules.length > 0) {
    let read: Compared[] = [];
    const isStored = await storePage(key, { ...search, checkpoint }, "records_here", async (tx) => {
      read = await comparison.here(tx, owned, checkpoint, PAGE_HERE);
      await storeHere(tx, owned, read);
      return read;
    });
    if (!isStored) return false;
    checkpoint = read.at(-1)?.member ?? checkpoint;
    compared += read.length;
    if (read.length < PAGE_HERE || compared >= max) break;
    if (performance.now() >= deadline) return false;
  }
  return finishSearch(key, { ...search, checkpoint });
}

/** Divides the records into clusters and ends the search, in one transaction. */
async function finishSearch(key: MigrationKey, search: Search): Promise<boolean> {
  // PostgreSQL would plan for an empty table, until its statistics know of these rows. Not within the transaction,
  // which would keep those of other searches waiting for the lock of ANALYZE until its end.
  await pool().query("SELECT refresh_statistics('duplicate_records')");
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
