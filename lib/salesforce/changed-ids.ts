import { z } from "zod";

import type { ResponseBound } from "@/lib/input/bounded-json";
import type { SalesforceClient } from "@/lib/salesforce/client";
import { isAfter, SALESFORCE_ID } from "@/lib/salesforce/ids";
import { isQueryRefused, isQueryTooLarge } from "@/lib/salesforce/refusals";

/** Salesforce names at most 600,000, each of the deleted ones with its time in some 80 bytes. */
const IDS: ResponseBound = { bytes: 64 * 1024 * 1024, values: 2_000_000 };

const id = z.string().regex(SALESFORCE_ID);

const updated = z.object({ ids: z.array(id) }).transform(({ ids }) => ids);

const deleted = z
  .object({ deletedRecords: z.array(z.object({ id })) })
  .transform(({ deletedRecords }) => deletedRecords.map((record) => record.id));

const ANSWERS = { updated, deleted };

const DAY_MS = 86_400_000;

/** Salesforce knows no earlier changes. A day less, because its clock and time zone decide. */
const MAX_AGE_MS = 29 * DAY_MS;

/** It refuses shorter periods, and ignores seconds. */
const MIN_PERIOD_MS = 60_000;

/**
 * The ids of the records of an object that were created, changed and restored, or that were deleted for good or not, in
 * a period of the last 29 days, in ascending order (REST API Developer Guide, "sObject Get Updated", "sObject Get
 * Deleted"). For objects whose changes no query finds. None if Salesforce does not tell for this object or user, or if
 * there are too many to be named.
 */
export async function changedIds(
  client: SalesforceClient,
  object: string,
  change: keyof typeof ANSWERS,
  { since, until }: { since: Date; until: Date },
): Promise<string[]> {
  const start = new Date(Math.max(since.getTime(), until.getTime() - MAX_AGE_MS));
  if (until.getTime() - start.getTime() < MIN_PERIOD_MS) return [];
  const period = new URLSearchParams({ start: timeText(start), end: timeText(until) });
  const path = `${client.dataPath}/sobjects/${encodeURIComponent(object)}/${change}?${period}`;
  try {
    const ids = await client.json(path, ANSWERS[change], { bound: IDS });
    return ids.toSorted((one, other) => (isAfter(one, other) ? 1 : -1));
  } catch (error) {
    if (isQueryRefused(error) || isQueryTooLarge(error)) return [];
    throw error;
  }
}

/** "2026-11-29T10:00:00+00:00" */
function timeText(time: Date): string {
  return `${time.toISOString().slice(0, 19)}+00:00`;
}
