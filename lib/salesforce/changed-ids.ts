import { z } from "zod";

import { log } from "@/lib/log";
import type { ResponseBound } from "@/lib/input/bounded-json";
import type { SalesforceClient } from "@/lib/salesforce/client";
import { SalesforceError } from "@/lib/salesforce/errors";
import { isAfter, SALESFORCE_ID } from "@/lib/salesforce/ids";
import { isObjectHidden, isQueryRefused, isQueryTooLarge } from "@/lib/salesforce/refusals";

/**
 * Salesforce names at most 600,000, each of the deleted ones with its time in some 80 bytes: so many would take memory
 * that a worker does not have. Where there are more than fit, less is asked for.
 */
const IDS: ResponseBound = { bytes: 16 * 1024 * 1024, values: 500_000 };

/** More halves of a period than that are not asked for: a host that never has enough of it would be asked for days. */
const MAX_REQUESTS = 63;

const id = z.string().regex(SALESFORCE_ID);

const updated = z.object({ ids: z.array(id) }).transform(({ ids }) => ids);

const deleted = z
  .object({ deletedRecords: z.array(z.object({ id })) })
  .transform(({ deletedRecords }) => deletedRecords.map((record) => record.id));

const ANSWERS = { updated, deleted };

export type Change = keyof typeof ANSWERS;

export interface Period {
  since: Date;
  until: Date;
}

/** Salesforce knows the deletions of fifteen days. One less, because its clock and time zone decide. */
const MAX_AGE_MS = 14 * 86_400_000;

/** Salesforce ignores seconds, and refuses periods of less than a minute. */
const MINUTE_MS = 60_000;

export interface ChangedIds {
  /** Each once, in ascending order. */
  ids: string[];
  /** Why Salesforce has not named all; null: it has. */
  refusal: SalesforceError | null;
}

/** Which of some ids are wanted: so that no more are kept than that, however many Salesforce names. */
export type Keep = (ids: readonly string[]) => readonly string[] | Promise<readonly string[]>;

/**
 * The ids of the records of an object that were created, changed and restored, or that were deleted for good or not, in
 * a period of the last 14 days, in ascending order (REST API Developer Guide, "sObject Get Updated", "sObject Get
 * Deleted"). For changes that no query finds. Where Salesforce does not tell of a part of the period, as when an
 * administrator has purged the recycle bin (INVALID_REPLICATION_DATE), the ids of that are missing.
 */
export async function changedIds(
  client: SalesforceClient,
  object: string,
  change: Change,
  { since, until }: Period,
  keep: Keep = (ids) => ids,
): Promise<ChangedIds> {
  const start = new Date(Math.max(since.getTime(), Date.now() - MAX_AGE_MS));
  const list = `${object}/${change}`;
  const { ids, refusal } = await idsIn({ client, list, keep, left: MAX_REQUESTS - 1 }, { since: start, until });
  if (refusal) log.warn({ list, err: refusal }, "Salesforce does not tell of changed records");
  return { ids: [...new Set(ids)].toSorted((one, other) => (isAfter(one, other) ? 1 : -1)), refusal };
}

interface Asking {
  client: SalesforceClient;
  list: string;
  keep: Keep;
  /** How many further requests there may be. */
  left: number;
}

/** Where there are more than are named, or than we read, the halves of the period are asked for. */
async function idsIn(asking: Asking, { since, until }: Period): Promise<ChangedIds> {
  const { client, list, keep } = asking;
  const milliseconds = until.getTime() - since.getTime();
  if (milliseconds < MINUTE_MS) return { ids: [], refusal: null };
  const period = new URLSearchParams({ start: timeText(since), end: timeText(until) });
  const answer = ANSWERS[list.endsWith("/deleted") ? "deleted" : "updated"];
  try {
    const named = await client.json(`${client.dataPath}/sobjects/${list}?${period}`, answer, { bound: IDS });
    return { ids: [...(await keep(named))], refusal: null };
  } catch (error) {
    if (!isTooMuch(error) || milliseconds < 2 * MINUTE_MS || asking.left < 2) {
      if (!isRefused(error)) throw error;
      return { ids: [], refusal: error };
    }
    asking.left -= 2;
    const middle = new Date(since.getTime() + Math.floor(milliseconds / 2 / MINUTE_MS) * MINUTE_MS);
    const earlier = await idsIn(asking, { since, until: middle });
    const later = await idsIn(asking, { since: middle, until });
    return { ids: [...earlier.ids, ...later.ids], refusal: earlier.refusal ?? later.refusal };
  }
}

/** Whether Salesforce answers, but does not tell. */
function isRefused(error: unknown): error is SalesforceError {
  return isQueryRefused(error) || isObjectHidden(error) || isQueryTooLarge(error);
}

const TOO_MUCH_CODES = new Set(["EXCEEDED_ID_LIMIT", "ANSWER_TOO_LARGE"]);

/** Not a timeout: that of a short period comes as that of a long one. */
function isTooMuch(error: unknown): boolean {
  return error instanceof SalesforceError && TOO_MUCH_CODES.has(error.errorCode ?? "");
}

/** "2026-11-29T10:00:00+00:00" */
function timeText(time: Date): string {
  return `${time.toISOString().slice(0, 19)}+00:00`;
}
