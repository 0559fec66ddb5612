import { type Reply, ok } from "../server/call";
import type { Exchange, Handler } from "../server/exchange";
import type { Json } from "../schema/field";
import { ApiError, malformed } from "../server/api-error";
import { execute, type Answer } from "../soql/execute";
import { parseSoql } from "../soql/parse";
import type { Scope } from "../soql/resolve";
import type { Cursor } from "./query-cursors";

const MIN_BATCH = 200;
const MAX_BATCH = 2000;
/** Characters that are encoded together. */
const CHUNK_LENGTH = 32_768;

/** `Sforce-Query-Options: batchSize=500`: between 200 and 2,000, and at most the org's `--page-size`. */
function batchSizeOf({ headers, org }: Exchange): number {
  const requested = /batchSize=(\d+)/i.exec(headers["sforce-query-options"] ?? "")?.[1];
  if (requested === undefined) return org.options.pageSize;
  return Math.min(org.options.pageSize, MAX_BATCH, Math.max(MIN_BATCH, Number(requested)));
}

/** What an API writes around the rows: the tooling API adds fields of its own. */
interface Envelope {
  readonly head: (totalSize: number, returned: number) => string;
  readonly path: string;
}

const dataEnvelope: Envelope = { head: (totalSize) => `{"totalSize":${totalSize}`, path: "/query/" };

function toolingEnvelope(entity: string): Envelope {
  return {
    path: "/tooling/query/",
    head: (totalSize, returned) => {
      const name = returned === 0 ? "null" : JSON.stringify(entity);
      return `{"size":${returned},"totalSize":${totalSize},"queryLocator":null,"entityTypeName":${name}`;
    },
  };
}

function envelopeOf({ rows }: Cursor): Envelope {
  return rows.table.object.tooling ? toolingEnvelope(rows.table.name) : dataEnvelope;
}

/** The rows of a page as bytes. Encoding chunk by chunk leaves little for the garbage collector. */
class PageBody {
  readonly buffers: Buffer[] = [];
  rows = 0;
  bytes = 0;
  private chunk = "";

  add(row: string): void {
    this.chunk += this.rows === 0 ? row : `,${row}`;
    this.rows += 1;
    if (this.chunk.length > CHUNK_LENGTH) this.flush();
  }

  /** The whole body: `head`, the rows, and the closing brackets. */
  close(head: string): Buffer[] {
    this.chunk += "]}";
    this.flush();
    return [Buffer.from(`${head},"records":[`), ...this.buffers];
  }

  private flush(): void {
    const buffer = Buffer.from(this.chunk);
    this.bytes += buffer.length;
    this.buffers.push(buffer);
    this.chunk = "";
  }
}

/** One page, from row number `offset` on. It ends at the batch size, or once it reaches `--page-bytes`. */
function page(exchange: Exchange, cursor: Cursor, offset: number): Reply {
  const { rows, batchSize, positions } = cursor;
  const body = new PageBody();
  const last = Math.min(rows.totalSize, offset + batchSize);
  let position = rows.source.advance(positions.get(offset) ?? 0);
  while (position >= 0 && offset + body.rows < last && body.bytes < exchange.org.options.pageBytes) {
    body.add(rows.write(rows.source.ordinalAt(position)));
    position = rows.source.advance(position + 1);
  }
  const end = offset + body.rows;
  const envelope = envelopeOf(cursor);
  const head = envelope.head(rows.totalSize, body.rows);
  if (position < 0 || end >= rows.totalSize) return { status: 200, buffers: body.close(`${head},"done":true`) };
  positions.set(end, position);
  exchange.org.cursors.store(cursor);
  return {
    status: 200,
    buffers: body.close(`${head},"done":false,"nextRecordsUrl":"${exchange.root}${envelope.path}${cursor.id}-${end}"`),
  };
}

function answer(exchange: Exchange, result: Answer, tooling: boolean): Reply {
  const extra: Record<string, Json> = tooling ? { size: 0, queryLocator: null, entityTypeName: null } : {};
  if (result.kind === "count") return ok({ ...extra, totalSize: result.totalSize, done: true, records: [] });
  if (result.kind === "aggregate")
    return ok({ ...extra, totalSize: result.rows.length, done: true, records: result.rows });
  return page(exchange, exchange.org.cursors.open(result, batchSizeOf(exchange)), 0);
}

function run(exchange: Exchange, scope: Pick<Scope, "api" | "all">): Reply {
  const source = exchange.search.get("q");
  if (source === null) throw malformed("A query string has to be specified");
  const query = parseSoql(source);
  const result = execute({ ...scope, database: exchange.org.database, root: exchange.root }, query);
  if (
    scope.api === "tooling" &&
    result.kind === "rows" &&
    result.totalSize > 1 &&
    /\b(Metadata|FullName)\b/i.test(source.split(/\bFROM\b/i)[0] ?? "")
  ) {
    throw malformed(
      "When retrieving results with Metadata or FullName fields, the query qualifications must specify no more " +
        `than one row for retrieval. Result size: ${result.totalSize}`,
    );
  }
  return answer(exchange, result, scope.api === "tooling");
}

export const query: Handler = (exchange) => run(exchange, { api: "data", all: false });
export const queryAll: Handler = (exchange) => run(exchange, { api: "data", all: true });
export const toolingQuery: Handler = (exchange) => run(exchange, { api: "tooling", all: false });

/** The next page of a query. Clients request it under any of the query paths. */
export const queryMore: Handler = (exchange, locator) => {
  if (locator === undefined) throw new ApiError(400, "INVALID_QUERY_LOCATOR", "invalid query locator");
  const { cursor, offset } = exchange.org.cursors.find(locator);
  return page(exchange, cursor, offset);
};
