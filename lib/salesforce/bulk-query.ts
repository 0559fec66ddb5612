import { z } from "zod";

import { ResponseRefused } from "@/lib/input/bounded-json";
import { MAX_FIELDS } from "@/lib/salesforce/answer-bounds";
import type { SalesforceClient } from "@/lib/salesforce/client";
import { CsvReader } from "@/lib/salesforce/csv";
import { SalesforceError } from "@/lib/salesforce/errors";
import { isSalesforceId } from "@/lib/salesforce/ids";
import { errorOfSocket } from "@/lib/salesforce/socket-errors";

/** Query jobs of Bulk API 2.0 (Bulk API 2.0 Developer Guide, "Query Jobs"). */

const jobId = z.string().refine(isSalesforceId);

const created = z.object({ id: jobId });

const queryJob = z.object({
  id: jobId,
  state: z.enum(["UploadComplete", "InProgress", "JobComplete", "Failed", "Aborted"]),
  /** Final once the job is complete. */
  numberRecordsProcessed: z.number().int().nonnegative().default(0),
  errorMessage: z.string().nullish(),
});

export type QueryJob = z.output<typeof queryJob>;

const JSON_BODY = { "content-type": "application/json" };

function jobsPath({ dataPath }: SalesforceClient): string {
  return `${dataPath}/jobs/query`;
}

/** Creates a job that reads archived and deleted records too. Returns its id. */
export async function createQueryJob(client: SalesforceClient, soql: string): Promise<string> {
  const body = JSON.stringify({ operation: "queryAll", query: soql, columnDelimiter: "COMMA", lineEnding: "LF" });
  const job = await client.json(jobsPath(client), created, { method: "POST", headers: JSON_BODY, body });
  return job.id;
}

export function readQueryJob(client: SalesforceClient, id: string): Promise<QueryJob> {
  return client.json(`${jobsPath(client)}/${id}`, queryJob);
}

/** Deletes a job with its results. A job that is under way is stopped first. Does nothing if it is gone. */
export async function deleteQueryJob(client: SalesforceClient, id: string): Promise<void> {
  const path = `${jobsPath(client)}/${id}`;
  if ((await refusalOf(client.request(path, { method: "DELETE" }))) !== 400) return;
  const body = JSON.stringify({ state: "Aborted" });
  await refusalOf(client.request(path, { method: "PATCH", headers: JSON_BODY, body }));
  await refusalOf(client.request(path, { method: "DELETE" }));
}

/** 400: not in its present state · 404: it is gone · 409: it belongs to another version of the API · null: done. */
async function refusalOf(request: Promise<unknown>): Promise<number | null> {
  try {
    await request;
    return null;
  } catch (error) {
    if (error instanceof SalesforceError && [400, 404, 409].includes(error.status ?? 0)) return error.status;
    throw error;
  }
}

export interface ResultPage {
  /** The names of the columns. */
  header: string[];
  /** The rows that each received piece completes. Throws if it ends before all are there. */
  rows: AsyncIterable<string[][]>;
  /** Where the next page begins; null: there is none. */
  next: string | null;
}

/** Opens a page of at most `records` records of a complete job. It can be opened again as long as the job exists. */
export async function openResultPage(
  client: SalesforceClient,
  id: string,
  page: { locator: string | null; records: number; signal: AbortSignal },
): Promise<ResultPage> {
  const search = new URLSearchParams({
    maxRecords: String(page.records),
    ...(page.locator !== null && { locator: page.locator }),
  });
  const path = `${jobsPath(client)}/${id}/results?${search}`;
  const { headers, text } = await client.stream(path, { headers: { accept: "text/csv" }, signal: page.signal });
  const rows = readRows(text, Number(headers.get("sforce-numberofrecords") ?? Number.NaN), new URL(client.origin));
  const first = await rows.next();
  const locator = headers.get("sforce-locator");
  return {
    header: first.done ? [] : first.value.flat(),
    rows,
    next: locator === null || locator === "null" ? null : locator,
  };
}

/** First the header alone, then the rows. */
async function* readRows(text: AsyncIterable<string>, expected: number, url: URL): AsyncGenerator<string[][]> {
  let records = -1;
  try {
    for await (const rows of parsedPieces(text)) {
      if (records < 0) yield rows.splice(0, 1);
      records = Math.max(0, records) + rows.length;
      if (rows.length > 0) yield rows;
    }
  } catch (error) {
    throw error instanceof ResponseRefused ? errorOfSocket(error, url) : error;
  }
  const received = Math.max(0, records);
  if (Number.isNaN(expected) || received === expected) return;
  const detail = `Salesforce announced ${expected} records in a page of results and sent ${received}.`;
  throw new SalesforceError("source_error", detail, { errorCode: "INCOMPLETE_RESULTS", transient: true });
}

/** The rows that each piece completes, if there are any. */
async function* parsedPieces(text: AsyncIterable<string>): AsyncGenerator<string[][]> {
  const csv = new CsvReader(MAX_FIELDS);
  for await (const piece of text) {
    const rows = csv.push(piece);
    if (rows.length > 0) yield rows;
  }
  const last = csv.end();
  if (last.length > 0) yield last;
}

const BOOLEANS: Record<string, boolean | null> = { true: true, false: false, "": null };

/** A cell as the value that a query over REST returns for a field of this type (`describe`). */
export function valueOfCell(type: string): (cell: string) => unknown {
  switch (type) {
    case "boolean":
      return (cell) => (Object.hasOwn(BOOLEANS, cell) ? BOOLEANS[cell] : cell);
    case "int":
    case "long":
    case "double":
    case "currency":
    case "percent":
      return numberOf;
    case "datetime":
      return (cell) => (cell === "" ? null : cell.endsWith("Z") ? `${cell.slice(0, -1)}+0000` : cell);
    default:
      return (cell) => (cell === "" ? null : cell);
  }
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** A text that is no number stays as it is, so that nothing is lost. */
function numberOf(cell: string): unknown {
  if (cell === "") return null;
  return NUMBER.test(cell) ? Number(cell) : cell;
}

/** Types that Bulk API 2.0 does not return: compound fields and files. */
const REST_ONLY_TYPES = new Set(["address", "location", "base64", "complexvalue", "json", "anyType"]);

/** Whether Bulk API 2.0 returns fields of this type. */
export function isBulkType(type: string): boolean {
  return !REST_ONLY_TYPES.has(type);
}
