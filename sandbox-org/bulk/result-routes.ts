import { ApiError } from "../server/api-error";
import { ok } from "../server/call";
import type { Exchange, Handler } from "../server/exchange";
import type { BulkJob } from "./bulk-jobs";
import { csvHeader, csvRow, DELIMITERS, LINE_ENDINGS } from "./csv";

const DEFAULT_PAGE_SIZE = 50_000;
const ROWS_PER_CHUNK = 500;
const PARALLEL_PAGES = 5;

/** The number of the page's first row, opaque to clients, apparently in Salesforce's encoding. */
const encodeLocator = (offset: number): string => Buffer.from(String(offset)).toString("base64url");
const decodeLocator = (locator: string): number => Number(Buffer.from(locator, "base64url").toString());

function findCompleteJob(exchange: Exchange, id: string): BulkJob {
  const job = exchange.org.jobs.find(id);
  if (job.apiVersion !== Number(exchange.version.slice(1)))
    throw new ApiError(409, "API_VERSION_MISMATCH", `The API version of the job is ${job.apiVersion}.0`);
  if (job.state !== "JobComplete")
    throw new ApiError(400, "INVALIDJOBSTATE", `Getting results for a job in state ${job.state} is not allowed`);
  return job;
}

/** The header and the rows, made while they are sent: a page of a million rows takes no memory. */
function* csvChunks(job: BulkJob, offset: number, count: number): Generator<string> {
  const [delimiter, ending] = [DELIMITERS[job.columnDelimiter], LINE_ENDINGS[job.lineEnding]];
  let chunk = csvHeader(job.columns, delimiter) + ending;
  for (const [row, ordinal] of job.ordinals.subarray(offset, offset + count).entries()) {
    chunk += csvRow(job.columns, delimiter, ordinal) + ending;
    if (row % ROWS_PER_CHUNK === ROWS_PER_CHUNK - 1) {
      yield chunk;
      chunk = "";
    }
  }
  yield chunk;
}

function pageSizeOf({ search }: Exchange): number {
  const requested = Number(search.get("maxRecords") ?? DEFAULT_PAGE_SIZE);
  if (!Number.isSafeInteger(requested) || requested < 1)
    throw new ApiError(400, "API_ERROR", "maxRecords must be a positive number");
  return requested;
}

function offsetOf({ search }: Exchange, job: BulkJob): number {
  const locator = search.get("locator");
  const offset = locator === null || locator === "" ? 0 : decodeLocator(locator);
  if (!Number.isSafeInteger(offset) || offset < 0 || offset > job.ordinals.length)
    throw new ApiError(400, "INVALID_QUERY_LOCATOR", "invalid query locator");
  return offset;
}

export const results: Handler = (exchange, id = "") => {
  const job = findCompleteJob(exchange, id);
  const offset = offsetOf(exchange, job);
  const count = Math.min(pageSizeOf(exchange), job.ordinals.length - offset);
  const end = offset + count;
  const headers = {
    "Content-Type": "text/csv",
    "Sforce-NumberOfRecords": String(count),
    "Sforce-Locator": end < job.ordinals.length ? encodeLocator(end) : "null",
  };
  const gzip = exchange.org.options.gzipResults && /\bgzip\b/.test(exchange.headers["accept-encoding"] ?? "");
  return {
    status: 200,
    headers: { ...headers, ...(gzip && { "Content-Encoding": "gzip" }) },
    chunks: csvChunks(job, offset, count),
  };
};

/** Links to several pages, for clients that fetch them in parallel. */
export const resultPages: Handler = (exchange, id = "") => {
  const job = findCompleteJob(exchange, id);
  const size = pageSizeOf(exchange);
  const first = offsetOf(exchange, job);
  const offsets = Array.from({ length: PARALLEL_PAGES }, (_, i) => first + i * size).filter(
    (offset) => offset < job.ordinals.length || offset === 0,
  );
  const folder = `${exchange.root}/jobs/query/${job.id}`;
  const end = first + PARALLEL_PAGES * size;
  const done = end >= job.ordinals.length;
  return ok({
    resultPages: offsets.map((offset) => ({
      resultLink: `${folder}/results?locator=${encodeLocator(offset)}&maxRecords=${size}`,
    })),
    nextRecordsUrl: done ? null : `${folder}/resultPages?locator=${encodeLocator(end)}&maxRecords=${size}`,
    done,
  });
};
