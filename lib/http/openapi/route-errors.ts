import { z } from "zod";

import { SCOPES } from "@/lib/context";
import type { ErrorCode } from "@/lib/errors";
import { takesQuery } from "@/lib/http/api/parameters";
import { pathNames, type Route } from "@/lib/http/openapi/route";
import { inputNames } from "@/lib/input/parse-input";
import { hasScope } from "@/lib/operation";

/** Every request can meet these. */
const ALWAYS: readonly ErrorCode[] = [
  "invalid_request",
  "unknown_parameter",
  "unauthenticated",
  "too_many_requests",
  "internal_error",
];

const WITH_BODY: readonly ErrorCode[] = ["invalid_body", "payload_too_large", "unsupported_media_type"];

/** The names that stand in the query. */
function queryNames(route: Route): string[] {
  const inPath = pathNames(route);
  return takesQuery(route.method) ? inputNames(route.operation.input).filter((name) => !inPath.includes(name)) : [];
}

/** Whether a request has a body: where nothing is left to say, it has none. */
function hasBody(route: Route): boolean {
  const inPath = pathNames(route);
  const names = inputNames(route.operation.input);
  return !takesQuery(route.method) && (names.length === 0 || names.some((name) => !inPath.includes(name)));
}

/** Whether a repeated request is answered as the first one was (draft-ietf-httpapi-idempotency-key-header). */
export function takesIdempotencyKey({ method }: Pick<Route, "method">): boolean {
  return method === "POST";
}

/** Whether what comes back is one record with a version, as its `ETag` says. */
export function returnsRecord({ operation }: Pick<Route, "operation">): boolean {
  const names = operation.output instanceof z.ZodObject ? Object.keys(operation.output.shape) : [];
  return names.includes("id") && names.includes("version");
}

/** Whether a client that has the record already can be told so (RFC 9110 §13.1.2). */
export function supportsNotModified(route: Pick<Route, "method" | "operation">): boolean {
  return route.method === "GET" && returnsRecord(route) && !route.operation.volatile;
}

/**
 * Whether a token of some scope opens too little. What any token opens may still be asked to show records that not
 * every token does.
 */
function canLackScope({ operation }: Route, query: readonly string[]): boolean {
  const opens = SCOPES.filter((scope) =>
    operation.scopes.some((needed) => hasScope({ scopes: new Set([scope]) }, needed)),
  );
  return opens.length < SCOPES.length || query.includes("expand");
}

/** Refusals that tell of a repeated request. Without a body too: the answer to the first one may not have been kept. */
function idempotencyRefusals(route: Route): ErrorCode[] {
  return takesIdempotencyKey(route) ? ["idempotency_key_in_use", "idempotency_key_reused"] : [];
}

/** Whether what the path names may not be there. What a PUT by external id does not find, it creates. */
function canBeMissing(route: Route): boolean {
  return pathNames(route).length > 0 && !(route.method === "PUT" && route.statuses.includes(201));
}

function codesIf(isSo: boolean, ...codes: ErrorCode[]): ErrorCode[] {
  return isSo ? codes : [];
}

/** Every problem that a route can answer with. */
export function errorCodesOf(route: Route): ErrorCode[] {
  const query = queryNames(route);
  return [
    ...new Set([
      ...ALWAYS,
      ...codesIf(canLackScope(route, query), "insufficient_scope"),
      ...codesIf(query.length > 0, "invalid_parameter"),
      ...codesIf(query.includes("cursor"), "invalid_cursor"),
      ...codesIf(hasBody(route), ...WITH_BODY),
      ...idempotencyRefusals(route),
      // Where nothing has a version, a request that depends on one is refused.
      ...codesIf(route.method !== "GET" || returnsRecord(route), "precondition_failed"),
      ...codesIf(route.operation.adminsOnly === true, "forbidden"),
      ...codesIf(route.operation.stores === true, "storage_quota_exceeded"),
      ...codesIf(canBeMissing(route), "not_found"),
      ...route.refuses,
    ]),
  ];
}
