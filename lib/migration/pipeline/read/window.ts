import type { Pool } from "pg";

import type { MigratedObjectName } from "@/lib/migration/objects/migrated-objects";
import type { RunKey } from "@/lib/migration/pipeline/progress";
import { readByKeyset } from "@/lib/migration/pipeline/read/read-by-keyset";
import { MAX_PAGE_RECORDS } from "@/lib/salesforce/answer-bounds";
import type { SalesforceClient } from "@/lib/salesforce/client";
import { soqlDateTime, count, select } from "@/lib/salesforce/query";
import { isQueryTooLarge } from "@/lib/salesforce/refusals";

/** What a run reads and counts: see {@link conditionsOf}. */
export interface Window {
  until: Date;
}

/**
 * Everything created before `until`, archived records included, and of the deleted records those that were still there
 * then. People may go on creating and deleting in the source meanwhile, and the sums still close.
 */
export function conditionsOf({ until }: Window): string[] {
  const moment = soqlDateTime(until);
  return [`CreatedDate < ${moment}`, `(IsDeleted = false OR SystemModstamp >= ${moment})`];
}

/**
 * The moment that the run reads up to, fixed once per run, by the clock of the source, since that is what stamps its
 * records.
 */
export async function fixWindow(client: SalesforceClient, pool: Pool, run: RunKey): Promise<Window> {
  const owned = [run.organizationId, run.migrationId, run.runNumber];
  const found = await pool.query<{ read_until: Date | null }>(
    `SELECT read_until FROM migrations WHERE organization_id = $1 AND id = $2 AND run_number = $3`,
    owned,
  );
  const fixed = found.rows[0]?.read_until;
  if (fixed) return { until: fixed };
  const now = await sourceClock(client);
  const set = await pool.query<{ read_until: Date }>(
    `UPDATE migrations SET read_until = coalesce(read_until, $4) WHERE organization_id = $1 AND id = $2
      AND run_number = $3 RETURNING read_until`,
    [...owned, now],
  );
  return { until: set.rows[0]?.read_until ?? now };
}

/** The source's own time to the second, from the Date header of an answer (RFC 9110 §6.6.1). */
async function sourceClock(client: SalesforceClient): Promise<Date> {
  const { headers } = await client.request(client.dataPath);
  const time = Date.parse(headers.get("date") ?? "");
  return new Date(Number.isNaN(time) ? Math.floor(Date.now() / 1000) * 1000 : time);
}

const DAY = 86_400_000;

/**
 * How many records of an object the window holds. A count that is too much for the source is made of the counts of both
 * halves in time; where not even a day can be counted, all ids are read, which a source always answers in pages.
 */
export async function countWindow(
  client: SalesforceClient,
  object: MigratedObjectName,
  window: Window,
): Promise<number> {
  try {
    return await countBetween(client, object, window, { from: null, to: window.until });
  } catch (error) {
    if (!isQueryTooLarge(error)) throw error;
    return countIds(client, object, window);
  }
}

async function countIds(client: SalesforceClient, object: MigratedObjectName, window: Window): Promise<number> {
  const read = {
    from: object,
    fields: ["Id"],
    where: conditionsOf(window),
    after: null,
    all: true,
    size: { records: MAX_PAGE_RECORDS },
  };
  let records = 0;
  for await (const page of readByKeyset(client, read)) records += page.length;
  return records;
}

interface Span {
  /** Null: from the beginning. */
  from: Date | null;
  to: Date;
}

async function countBetween(
  client: SalesforceClient,
  object: MigratedObjectName,
  window: Window,
  { from, to }: Span,
): Promise<number> {
  const where = [
    ...conditionsOf(window),
    ...(from ? [`CreatedDate >= ${soqlDateTime(from)}`] : []),
    ...(to < window.until ? [`CreatedDate < ${soqlDateTime(to)}`] : []),
  ];
  try {
    return await count(client, select({ fields: ["COUNT()"], from: object, where }), { all: true });
  } catch (error) {
    const start = from?.getTime() ?? 0;
    if (!isQueryTooLarge(error) || to.getTime() - start < DAY) throw error;
    // Whole seconds, since that is what the literal holds.
    const middle = new Date(Math.floor((start + to.getTime()) / 2000) * 1000);
    const earlier = await countBetween(client, object, window, { from, to: middle });
    return earlier + (await countBetween(client, object, window, { from: middle, to }));
  }
}
