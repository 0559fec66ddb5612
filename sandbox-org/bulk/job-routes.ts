import type { Json } from "../schema/field";
import { ApiError, malformed } from "../server/api-error";
import { ok } from "../server/call";
import type { Exchange, Handler } from "../server/exchange";
import type { Query } from "../soql/ast";
import { execute } from "../soql/execute";
import { parseSoql } from "../soql/parse";
import { collect } from "../soql/row-source";
import { resolve, type Scope } from "../soql/resolve";
import type { BulkJob } from "./bulk-jobs";
import { DELIMITERS, LINE_ENDINGS, type Column, type Delimiter, type LineEnding } from "./csv";

const apiError = (message: string): ApiError => new ApiError(400, "API_ERROR", message);

interface Request {
  readonly operation: "query" | "queryAll";
  readonly query: string;
  readonly columnDelimiter: Delimiter;
  readonly lineEnding: LineEnding;
}

function parseBody(body: string): Record<string, unknown> {
  try {
    return JSON.parse(body) as Record<string, unknown>;
  } catch {
    throw new ApiError(400, "JSON_PARSER_ERROR", "Unexpected character in the request body at [line:1, column:1]");
  }
}

function readRequest(body: string): Request {
  const { operation, query, columnDelimiter = "COMMA", lineEnding = "LF" } = parseBody(body);
  if (operation !== "query" && operation !== "queryAll")
    throw apiError("Value does not match expected type at [line:1, column:15]");
  if (typeof query !== "string") throw apiError("query is required");
  if (typeof columnDelimiter !== "string" || !(columnDelimiter in DELIMITERS))
    throw apiError("columnDelimiter is not one of the values it may have");
  if (typeof lineEnding !== "string" || !(lineEnding in LINE_ENDINGS))
    throw apiError("lineEnding is not one of the values it may have");
  return { operation, query, columnDelimiter: columnDelimiter as Delimiter, lineEnding: lineEnding as LineEnding };
}

/** Refuses what Bulk API 2.0 does not support (Salesforce: SOQL considerations of query jobs). */
function assertSupported(query: Query): void {
  if (query.groupBy.length > 0 || query.select.some(({ kind }) => kind === "aggregate"))
    throw apiError("Aggregate Relationships not supported in Bulk Query");
  if (query.offset > 0) throw apiError("OFFSET not supported in Bulk Query");
  if (query.select.some(({ kind }) => kind === "children"))
    throw apiError("Nested queries not supported in Bulk Query");
  if (query.select.some(({ kind }) => kind === "fields"))
    throw malformed("The SOQL FIELDS function is not supported with Bulk API 2.0");
}

function columnsOf(scope: Scope, query: Query): Column[] {
  const table = scope.database.table(query.from);
  return query.select.flatMap((item) => {
    if (item.kind !== "field" || !table) return [];
    const { type, name, read } = resolve(scope, query, table, item.field);
    if (type === "address")
      throw new ApiError(400, "FEATURENOTENABLED", "Selecting compound data not supported in Bulk Query");
    return [{ header: item.field.path.length > 1 ? item.field.path.join(".") : name, type, read }];
  });
}

function jobInfo({ org }: Exchange, job: BulkJob): Record<string, Json> {
  const created = `${new Date(job.createdDate).toISOString().slice(0, 23)}+0000`;
  return {
    id: job.id,
    operation: job.operation,
    object: job.object,
    createdById: org.userId,
    createdDate: created,
    systemModstamp: created,
    state: job.state,
    concurrencyMode: "Parallel",
    contentType: "CSV",
    apiVersion: job.apiVersion,
    lineEnding: job.lineEnding,
    columnDelimiter: job.columnDelimiter,
  };
}

function progress(job: BulkJob): Record<string, Json> {
  const done = job.state === "JobComplete";
  const numbers = {
    jobType: "V2Query",
    numberRecordsProcessed: done ? job.ordinals.length : 0,
    retries: 0,
    totalProcessingTime: done ? 10 + job.polls : 0,
    isPkChunkingSupported: true,
  };
  return job.state === "Failed" ? { ...numbers, errorMessage: job.failure } : numbers;
}

/** Records are processed in chunks of this size, side by side. */
const CHUNK = 250;

/** Without ORDER BY, chunks come in the order in which they are done: here, the last one first. */
function inJobOrder(query: Query, ordinals: readonly number[]): Uint32Array {
  if (query.orderBy.length > 0) return Uint32Array.from(ordinals);
  const chunks = Array.from({ length: Math.ceil(ordinals.length / CHUNK) }, (_, n) =>
    ordinals.slice(n * CHUNK, (n + 1) * CHUNK),
  );
  return Uint32Array.from(chunks.toReversed().flat());
}

export const createJob: Handler = (exchange) => {
  const request = readRequest(exchange.body);
  const query = parseSoql(request.query);
  assertSupported(query);
  const scope: Scope = {
    database: exchange.org.database,
    api: "data",
    all: request.operation === "queryAll",
    root: exchange.root,
  };
  const rows = execute(scope, query);
  if (rows.kind !== "rows") throw apiError("Aggregate Relationships not supported in Bulk Query");
  const job = exchange.org.jobs.create({
    operation: request.operation,
    object: rows.table.name,
    apiVersion: Number(exchange.version.slice(1)),
    columnDelimiter: request.columnDelimiter,
    lineEnding: request.lineEnding,
    columns: columnsOf(scope, query),
    ordinals: inJobOrder(query, collect(rows.source).slice(0, rows.totalSize)),
    failure: exchange.jobFailure,
  });
  return ok(jobInfo(exchange, job));
};

export const listJobs: Handler = (exchange) =>
  ok({ done: true, records: exchange.org.jobs.all.map((job) => jobInfo(exchange, job)), nextRecordsUrl: null });

export const showJob: Handler = (exchange, id = "") => {
  const job = exchange.org.jobs.find(id);
  exchange.org.jobs.poll(job, exchange.org.options.bulkPolls);
  return ok({ ...jobInfo(exchange, job), ...progress(job) });
};

export const abortJob: Handler = (exchange, id = "") => {
  const job = exchange.org.jobs.find(id);
  if (parseBody(exchange.body)["state"] !== "Aborted")
    throw apiError("The only state that a query job can be set to is Aborted");
  if (job.state !== "UploadComplete" && job.state !== "InProgress")
    throw new ApiError(400, "INVALIDJOBSTATE", `Aborting job is not allowed in state ${job.state}`);
  job.state = "Aborted";
  return ok(jobInfo(exchange, job));
};

export const deleteJob: Handler = (exchange, id = "") => {
  const job = exchange.org.jobs.find(id);
  if (job.state === "UploadComplete" || job.state === "InProgress")
    throw new ApiError(400, "INVALIDJOBSTATE", `Deleting job is not allowed in state ${job.state}`);
  exchange.org.jobs.remove(job);
  return { status: 204, text: "" };
};
