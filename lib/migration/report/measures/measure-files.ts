import { wholeSum } from "@/lib/amounts";
import type { Report } from "@/lib/migration/report/report-schema";
import { sizeOf } from "@/lib/migration/pipeline/files/find-files";
import { OWNERS_PER_BATCH } from "@/lib/migration/pipeline/files/list-owners";
import { EXISTING } from "@/lib/migration/pipeline/read/read-by-ids";
import { answerWithin } from "@/lib/migration/report/answer-within";
import { countRecords, type SurveyedObject } from "@/lib/migration/report/survey";
import { MAX_PAGE_RECORDS } from "@/lib/salesforce/answer-bounds";
import type { SalesforceClient } from "@/lib/salesforce/client";
import { query, select } from "@/lib/salesforce/query";

/**
 * The files of an org: all of them, also those of records that a migration does not import, and each once. No aggregate
 * query counts the links of files to records, for each of which one is copied.
 */
export interface MeasuredFiles {
  count: number;
  /** Null if Salesforce does not tell sizes in time. */
  bytes: number | null;
  /** sampled: the bytes of the newest stand for all. */
  measured: "counted" | "sampled";
}

/** The objects whose records are files, with the fields of their sizes. */
const SIZES = { Attachment: "BodyLength", ContentDocument: "ContentSize" } as const;

export const COPIED_OBJECTS: readonly string[] = Object.keys(SIZES);

/**
 * Counts the files of an org, and their bytes. What Salesforce cannot count in time has the number of the survey. Null
 * if the Salesforce user may not see any of the objects.
 */
export async function measureFiles(
  client: SalesforceClient,
  surveyed: readonly SurveyedObject[],
): Promise<MeasuredFiles | null> {
  const found: MeasuredFiles[] = [];
  for (const object of Object.keys(SIZES) as (keyof typeof SIZES)[]) {
    const roughly = surveyed.find(({ name }) => name === object)?.count ?? null;
    const measured = await measure(client, object, roughly);
    if (measured) found.push(measured);
  }
  if (found.length === 0) return null;
  const bytes = wholeSum(found.map((files) => files.bytes));
  return {
    count: found.reduce((sum, { count }) => sum + count, 0),
    bytes: bytes === null ? null : Math.min(Number.MAX_SAFE_INTEGER, bytes),
    measured: found.some(({ measured }) => measured === "sampled") ? "sampled" : "counted",
  };
}

/** Salesforce does not sum up the sizes of attachments, so one page of the newest stands for the rest. */
async function measure(
  client: SalesforceClient,
  object: keyof typeof SIZES,
  roughly: number | null,
): Promise<MeasuredFiles | null> {
  const count = (await countRecords(client, object)) ?? roughly;
  if (count === null) return null;
  const size = SIZES[object];
  const soql = select({
    fields: ["Id", size],
    from: object,
    where: EXISTING.where,
    orderBy: "CreatedDate DESC",
    limit: MAX_PAGE_RECORDS,
  });
  const sample = await answerWithin((signal) => query(client, soql, { all: EXISTING.all, signal }));
  if (!sample) return { count, bytes: null, measured: "sampled" };
  const bytes = sample.records.reduce((sum, record) => sum + sizeOf(record[size]), 0);
  const sampled = sample.records.length;
  if (sampled >= count) return { count, bytes, measured: "counted" };
  return { count, bytes: Math.round((bytes * count) / Math.max(1, sampled)), measured: "sampled" };
}

/** Bytes of files that are read and stored per second, where the network is no faster than 100 Mbit/s. */
const FILE_BYTES_PER_SECOND = 10_000_000;

/** Bytes of a file where no size is known. */
const ASSUMED_FILE_BYTES = 500_000;

/** Requests per batch of records whose files are looked up: attachments, linked files. */
const FILE_LOOKUPS = 2;

/**
 * Estimates the copying of files, after `records` are imported. Each file takes one round trip (`latency` milliseconds)
 * and the time of its bytes, each batch of records its lookups.
 */
export function estimateFiles(files: MeasuredFiles, records: number, latency: number): Report["estimate"]["files"] {
  const calls = files.count + Math.ceil(records / OWNERS_PER_BATCH) * FILE_LOOKUPS;
  const bytes = files.bytes ?? files.count * ASSUMED_FILE_BYTES;
  const seconds = Math.ceil((calls * latency) / 1000 + bytes / FILE_BYTES_PER_SECOND);
  return { ...files, seconds, api_calls: calls };
}
