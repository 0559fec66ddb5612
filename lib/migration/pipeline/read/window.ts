import type { Pool } from "pg";

import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { SOURCE_OBJECTS } from "@/lib/migration/objects/source-objects";
import type { RunKey } from "@/lib/migration/migration-schema";
import { readByKeyset } from "@/lib/migration/pipeline/read/read-by-keyset";
import { MAX_PAGE_RECORDS } from "@/lib/salesforce/answer-bounds";
import type { SalesforceClient } from "@/lib/salesforce/client";
import { soqlDateTime, count, select } from "@/lib/salesforce/query";
import { isFault, isQueryRefused, isQueryTooLarge } from "@/lib/salesforce/refusals";

/** The period that a run reads and counts, see {@link conditionsOf}. */
export interface Window {
  until: Date;
  /** Only what was changed since. */
  since?: Date | null;
}

const IS_PRESENT = "IsDeleted = false";

/**
 * Selects all records of an object created before `until`, including archived ones, and deleted ones that were deleted
 * later. So the sums are equal even if records are created and deleted in the source meanwhile. Of a window with
 * `since`, only those that exist and were changed in it.
 */
export function conditionsOf(object: SourceObjectName, { until, since }: Window): string[] {
  const { where = [], hasNoStampFilter } = SOURCE_OBJECTS[object];
  if (since) return [...where, IS_PRESENT, ...changedBetween(object, since, until)];
  const moment = soqlDateTime(until);
  const isThere = hasNoStampFilter ? IS_PRESENT : `(${IS_PRESENT} OR SystemModstamp >= ${moment})`;
  return [...where, `CreatedDate < ${moment}`, isThere];
}

function changedBetween(object: SourceObjectName, since: Date, until: Date): string[] {
  const between = (field: string) => [`${field} >= ${soqlDateTime(since)}`, `${field} < ${soqlDateTime(until)}`];
  if (!SOURCE_OBJECTS[object].hasNoStampFilter) return between("SystemModstamp");
  return [`(${["CreatedDate", "LastEditDate"].map((field) => `(${between(field).join(" AND ")})`).join(" OR ")})`];
}

/** Selects what no window with this `since` has. */
export function unchangedConditionsOf(object: SourceObjectName, since: Date): string[] {
  const moment = soqlDateTime(since);
  if (!SOURCE_OBJECTS[object].hasNoStampFilter) return [`SystemModstamp < ${moment}`];
  return [`CreatedDate < ${moment}`, `(LastEditDate = null OR LastEditDate < ${moment})`];
}

/** Selects what was deleted in a window with `since`, as long as it is in the recycle bin. */
export function deletedConditionsOf(object: SourceObjectName, window: Window & { since: Date }): string[] {
  return conditionsOf(object, window).map((condition) => (condition === IS_PRESENT ? "IsDeleted = true" : condition));
}

/** Selects what was changed or deleted after a window, or after another moment, of the records that it has. */
export function changedConditionsOf(object: SourceObjectName, window: Window, after = window.until): string[] {
  const stamp = SOURCE_OBJECTS[object].hasNoStampFilter ? "LastEditDate" : "SystemModstamp";
  return [...conditionsOf(object, window), `${stamp} >= ${soqlDateTime(after)}`];
}

/**
 * The number of records of the window that were changed or deleted after it; null if the source refuses, times out or
 * fails.
 */
export function countChanged(client: SalesforceClient, object: SourceObjectName, window: Window) {
  const where = changedConditionsOf(object, window);
  return count(client, select({ fields: ["COUNT()"], from: object, where }), { all: true }).catch((error: unknown) => {
    if (cannotCount(object, error)) return null;
    throw error;
  });
}

/** Whether a count failed because the records are too many, because of an object that needs a LIMIT, or each time. */
function cannotCount(object: SourceObjectName, error: unknown): boolean {
  if (isQueryTooLarge(error) || isFault(error)) return true;
  return SOURCE_OBJECTS[object].maxPageRecords !== undefined && isQueryRefused(error);
}

/** The end of the period, fixed once per run. It comes from the clock of the source, which also stamps the records. */
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

/** The time of the source to the second, from the Date header of an answer (RFC 9110 §6.6.1). */
export async function sourceClock(client: SalesforceClient): Promise<Date> {
  const { headers } = await client.request(client.dataPath);
  const time = Date.parse(headers.get("date") ?? "");
  return new Date(Number.isNaN(time) ? Math.floor(Date.now() / 1000) * 1000 : time);
}

const DAY = 86_400_000;

/**
 * The number of records of an object in the window. If the source cannot count them at once, the counts of both halves
 * of the period are added. If it cannot count even one day, or not without a LIMIT, all ids are read, which always
 * works in pages.
 */
export async function countWindow(client: SalesforceClient, object: SourceObjectName, window: Window): Promise<number> {
  try {
    return await countBetween(client, object, window, { from: null, to: window.until });
  } catch (error) {
    if (!cannotCount(object, error)) throw error;
    return countIds(client, object, window);
  }
}

async function countIds(client: SalesforceClient, object: SourceObjectName, window: Window): Promise<number> {
  const read = {
    from: object,
    fields: ["Id"],
    where: conditionsOf(object, window),
    after: null,
    all: true,
    size: { records: SOURCE_OBJECTS[object].maxPageRecords ?? MAX_PAGE_RECORDS },
  };
  let records = 0;
  for await (const page of readByKeyset(client, read)) records += page.length;
  return records;
}

interface Span {
  /** Null: no lower bound. */
  from: Date | null;
  to: Date;
}

async function countBetween(
  client: SalesforceClient,
  object: SourceObjectName,
  window: Window,
  { from, to }: Span,
): Promise<number> {
  const where = [
    ...conditionsOf(object, window),
    ...(from ? [`CreatedDate >= ${soqlDateTime(from)}`] : []),
    ...(to < window.until ? [`CreatedDate < ${soqlDateTime(to)}`] : []),
  ];
  try {
    return await count(client, select({ fields: ["COUNT()"], from: object, where }), { all: true });
  } catch (error) {
    const start = from?.getTime() ?? 0;
    if (!isQueryTooLarge(error) || to.getTime() - start < DAY) throw error;
    // Whole seconds, because SOQL literals have no fractions.
    const middle = new Date(Math.floor((start + to.getTime()) / 2000) * 1000);
    const earlier = await countBetween(client, object, window, { from, to: middle });
    return earlier + (await countBetween(client, object, window, { from: middle, to }));
  }
}
