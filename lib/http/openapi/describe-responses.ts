import type { ErrorCode } from "@/lib/errors";
import { type JsonSchema, refTo } from "@/lib/http/openapi/json-schema";
import type { Route } from "@/lib/http/openapi/route";
import { returnsTagged, supportsNotModified, errorCodesOf, takesIdempotencyKey } from "@/lib/http/openapi/route-errors";
import { PROBLEMS } from "@/lib/http/problem";

export interface Header {
  description: string;
  schema: JsonSchema;
}

/** Headers of responses, by their name in `components.headers`. */
export const HEADERS: Record<string, Header> = {
  "x-request-id": {
    description: "The id of the request, also in the log of the service.",
    schema: { type: "string", format: "uuid" },
  },
  "www-authenticate": {
    description: "How to authenticate, and which scope is missing (RFC 6750, RFC 9728).",
    schema: { type: "string" },
  },
  etag: {
    description: "The version of the record (RFC 9110 §8.8.3), for `If-Match` and `If-None-Match`.",
    schema: { type: "string" },
  },
  "accept-encoding": {
    description: "Where the body was compressed: the coding in which one is read (RFC 9110 §12.5.3).",
    schema: { type: "string" },
  },
  "accept-patch": { description: "The media type of a PATCH (RFC 5789 §3.1).", schema: { type: "string" } },
  location: { description: "The address of the new record.", schema: { type: "string" } },
  ratelimit: {
    description: "How many requests are left in this minute, and the seconds until it ends.",
    schema: { type: "string" },
  },
  "ratelimit-policy": { description: "How many requests a client may send in a minute.", schema: { type: "string" } },
  "idempotent-replayed": {
    description: "`true` when the answer is that of an earlier request with the same key.",
    schema: { type: "string" },
  },
  "content-disposition": {
    description: "The name of the file that a browser saves (RFC 6266).",
    schema: { type: "string" },
  },
  "retry-after": { description: "Seconds to wait before trying again.", schema: { type: "integer", minimum: 0 } },
};

interface Media {
  schema: JsonSchema;
  example?: unknown;
}

export interface Response {
  description: string;
  headers: Record<string, { $ref: string }>;
  content?: Record<string, Media>;
}

/** Every response of a route by its status: the success, and the problems. */
export function describeResponses(route: Route, schema: JsonSchema, example: unknown): Record<string, Response> {
  const replayed = takesIdempotencyKey(route) ? ["idempotent-replayed"] : [];
  const etag = returnsTagged(route) ? ["etag"] : [];
  const good = (status: number): Response => ({
    description: DESCRIPTIONS[status] ?? "Done.",
    headers: headersOf([
      ...COMMON_HEADERS,
      ...etag,
      ...replayed,
      ...route.headers,
      ...(status === 201 ? ["location"] : []),
    ]),
    content: contentOf(route, { schema, ...(example !== undefined && { example }) }),
  });
  const accepted = route.method === "PATCH" ? ["accept-encoding", "accept-patch"] : ["accept-encoding"];
  const byStatus = Object.groupBy(errorCodesOf(route), (code) => PROBLEMS[code].status);
  const problems = Object.entries(byStatus).map(
    ([status, codes = []]) =>
      [status, problemOf(Number(status), codes, { replayed, extra: status === "415" ? accepted : [] })] as const,
  );
  const answers = route.statuses.map((status) => [status, good(status)] as const);
  const unchanged: [number, Response][] = supportsNotModified(route) ? [[304, UNCHANGED]] : [];
  return { ...Object.fromEntries([...answers, ...unchanged]), ...Object.fromEntries(problems) };
}

/** The JSON of a result, or bytes of any of the types that a download may have. */
function contentOf({ operation }: Route, json: Media): Record<string, Media> {
  const bytes: Media = { schema: { type: "string", format: "binary" } };
  if (!operation.downloads) return { "application/json": json };
  return Object.fromEntries(operation.downloads.map((type) => [type, bytes]));
}

/** The last two are not on every response, since limits can be turned off. */
const COMMON_HEADERS = ["x-request-id", "ratelimit", "ratelimit-policy"];

const UNCHANGED: Response = {
  description: "The record is still the one that `If-None-Match` names.",
  headers: headersOf([...COMMON_HEADERS, "etag"]),
};

const DESCRIPTIONS: Record<number, string> = {
  200: "The request has succeeded.",
  201: "It has been created.",
  202: "It has been accepted and goes on in the background.",
};

function problemOf(
  status: number,
  codes: readonly ErrorCode[],
  { replayed, extra }: Record<"replayed" | "extra", string[]>,
): Response {
  // A request that is not authenticated is not counted.
  const common = status === 401 ? ["x-request-id"] : COMMON_HEADERS;
  const retryAfter = codes.some((code) => RETRYABLE.has(code)) ? ["retry-after"] : [];
  return {
    description: codes.map((code) => `${PROBLEMS[code].title} (\`${code}\`).`).join(" "),
    headers: headersOf([
      ...common,
      ...retryAfter,
      ...extra,
      ...(MORE_HEADERS[status] ?? []),
      ...(REPLAYED_STATUSES.has(status) ? replayed : []),
    ]),
    content: {
      "application/problem+json": { schema: { ...refTo("Problem"), properties: { code: { enum: [...codes] } } } },
    },
  };
}

const MORE_HEADERS: Record<number, string[]> = { 401: ["www-authenticate"], 403: ["www-authenticate"] };

/** Problems that may come with `retry-after`. */
const RETRYABLE = new Set<ErrorCode>([
  "too_many_requests",
  "service_unavailable",
  "idempotency_key_in_use",
  "source_limit_exceeded",
  "source_error",
]);

/** Statuses of refusals by the operation itself: a repeat with the same key gets them again. */
const REPLAYED_STATUSES = new Set([400, 403, 404, 409, 412, 413, 422]);

function headersOf(names: readonly string[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
