import type { Json } from "../schema/field";
import { ApiError } from "../server/api-error";
import { type Call, type Reply, ok } from "../server/call";
import type { Exchange, Handler } from "../server/exchange";

const MAX_PARTS = 25;

interface Part {
  readonly method: string;
  readonly url: string;
  readonly referenceId?: string;
  readonly httpHeaders?: Readonly<Record<string, string>>;
  readonly body?: Json;
}

function parse(body: string): Record<string, unknown> {
  try {
    return JSON.parse(body) as Record<string, unknown>;
  } catch {
    throw new ApiError(400, "JSON_PARSER_ERROR", "Unexpected character in the request body at [line:1, column:1]");
  }
}

function partsOf(body: string, key: "compositeRequest" | "batchRequests"): readonly Part[] {
  const parts = parse(body)[key];
  if (!Array.isArray(parts)) throw new ApiError(400, "JSON_PARSER_ERROR", `Missing required parameter: ${key}`);
  if (parts.length > MAX_PARTS)
    throw new ApiError(400, "LIMIT_EXCEEDED", `The number of subrequests may not exceed ${MAX_PARTS}`);
  return parts as readonly Part[];
}

/** Runs one part like a separate request. A URL is `v60.0/…` in a batch, `/services/data/v60.0/…` in a composite. */
function runPart(exchange: Exchange, { method, url, httpHeaders = {}, body }: Part): Reply {
  const { pathname, searchParams } = new URL(url.startsWith("/") ? url : `/services/data/${url}`, "http://part");
  const headers = Object.fromEntries(Object.entries(httpHeaders).map(([name, value]) => [name.toLowerCase(), value]));
  const call: Call = {
    method,
    path: pathname,
    search: searchParams,
    headers: { authorization: exchange.headers["authorization"], ...headers },
    body: body === undefined ? "" : JSON.stringify(body),
  };
  return exchange.dispatch(call);
}

function bodyOf({ json, text, buffers }: Reply): Json {
  if (buffers !== undefined) return JSON.parse(Buffer.concat(buffers).toString()) as Json;
  if (json !== undefined) return json;
  return text === undefined || text === "" ? null : (JSON.parse(text) as Json);
}

/** Up to 25 parts in one call, each with a status. */
export const composite: Handler = (exchange) => {
  const parts = partsOf(exchange.body, "compositeRequest");
  const compositeResponse = parts.map((part) => {
    const reply = runPart(exchange, part);
    return {
      body: bodyOf(reply),
      httpHeaders: { ...reply.headers },
      httpStatusCode: reply.status,
      referenceId: part.referenceId ?? null,
    };
  });
  return ok({ compositeResponse });
};

/** Records by id, in the requested order; null for a missing record. */
export const collection: Handler = (exchange, object = "") => {
  const { ids, fields } = parse(exchange.body) as { ids?: readonly string[]; fields?: readonly string[] };
  if (!ids || !fields) throw new ApiError(400, "MISSING_ARGUMENT", "ids and fields are required");
  const search = new URLSearchParams({ fields: fields.join(",") });
  const records = ids.map((id) => {
    const reply = exchange.dispatch({
      ...exchange,
      method: "GET",
      path: `${exchange.root}/sobjects/${object}/${encodeURIComponent(id)}`,
      search,
      body: "",
    });
    if (reply.status === 400) throw new ApiError(400, "INVALID_FIELD", JSON.stringify(reply.json));
    return reply.status === 200 ? bodyOf(reply) : null;
  });
  return ok(records);
};

/** Up to 25 parts, each of which counts against the daily limit. */
export const compositeBatch: Handler = (exchange) => {
  const replies = partsOf(exchange.body, "batchRequests").map((part) => runPart(exchange, part));
  exchange.org.stats.apiCalls += replies.length;
  return ok({
    hasErrors: replies.some(({ status }) => status >= 400),
    results: replies.map((reply) => ({ statusCode: reply.status, result: bodyOf(reply) })),
  });
};
