import { z } from "zod";

import { SCOPES } from "@/lib/context";
import type { ErrorCode } from "@/lib/errors";
import { takesQuery } from "@/lib/http/api/parameters";
import { pathNames, type Route } from "@/lib/http/openapi/route";
import { inputNames } from "@/lib/input/parse-input";
import { hasScope } from "@/lib/operation";

/** Problems that every request can get. */
const ALWAYS: readonly ErrorCode[] = [
  "invalid_request",
  // What has no version has none that If-Match could name.
  "precondition_failed",
  "unknown_parameter",
  "unauthenticated",
  "too_many_requests",
  "service_unavailable",
  "internal_error",
];

const WITH_BODY: readonly ErrorCode[] = ["invalid_body", "payload_too_large", "unsupported_media_type"];

/** The names of the query parameters. */
function queryNames(route: Route): string[] {
  const inPath = pathNames(route);
  return takesQuery(route.method) ? inputNames(route.operation.input).filter((name) => !inPath.includes(name)) : [];
}

/** Whether a request has a body: it has none if the path holds all fields. */
function hasBody(route: Route): boolean {
  const inPath = pathNames(route);
  const names = inputNames(route.operation.input);
  return !takesQuery(route.method) && (names.length === 0 || names.some((name) => !inPath.includes(name)));
}

/** Whether a repeated request gets the first response again (draft-ietf-httpapi-idempotency-key-header). */
export function takesIdempotencyKey({ method }: Pick<Route, "method">): boolean {
  return method === "POST";
}

/** Whether the response has an `ETag`: it is one record with a version, or has a tag of its own. */
export function returnsTagged({ operation }: Pick<Route, "operation">): boolean {
  if (operation.tagged) return true;
  const names = operation.output instanceof z.ZodObject ? Object.keys(operation.output.shape) : [];
  return names.includes("id") && names.includes("version");
}

/** Whether a client that has the record already can get a 304 (RFC 9110 §13.1.2). */
export function supportsNotModified(route: Pick<Route, "method" | "operation">): boolean {
  return route.method === "GET" && returnsTagged(route) && !route.operation.volatile;
}

/**
 * Whether a token can lack a scope. Even an operation that every scope opens can be asked to expand or to search
 * records that not every scope opens, or to filter by a migration.
 */
function canLackScope({ operation }: Route, query: readonly string[]): boolean {
  const opens = SCOPES.filter((scope) =>
    operation.scopes.some((needed) => hasScope({ scopes: new Set([scope]) }, needed)),
  );
  const narrowing = ["expand", "objects", "migration_id"];
  return opens.length < SCOPES.length || narrowing.some((name) => query.includes(name));
}

/** The problems of a repeated request, also without a body: the first response may not have been kept. */
function idempotencyRefusals(route: Route): ErrorCode[] {
  return takesIdempotencyKey(route) ? ["idempotency_key_in_use", "idempotency_key_reused"] : [];
}

/** Whether the path can name a missing record. A PUT by external id creates it instead. */
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
      ...codesIf(route.operation.adminsOnly === true, "forbidden"),
      ...codesIf(route.operation.stores === true, "storage_quota_exceeded"),
      ...codesIf(canBeMissing(route), "not_found"),
      ...route.refuses,
    ]),
  ];
}
