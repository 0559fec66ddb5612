import { randomUUID } from "node:crypto";

import type { ApiRequest } from "@/tests/service/api/support/send-request";
import type { Operation } from "@/tests/service/api/support/document";
import { emptyPath, validBody, validRequest } from "@/tests/service/api/support/valid-requests";
import type { Fixtures } from "@/tests/service/api/support/fixtures";
import { deleteStoredAnswers } from "@/tests/service/setup/delete-stored-answers";
import { blockWrites } from "@/tests/service/setup/block-writes";

/** A request that must be refused, and what to do afterwards. */
export type Refused = ApiRequest & { finish?: () => Promise<unknown> };
export type MakeRefused = (fixtures: Fixtures, operation: Operation) => Promise<Refused>;

const MEGABYTE = 1024 * 1024;

/** Refusals that are the same for every operation, by code. */
export const REFUSALS: Record<string, MakeRefused> = {
  invalid_request: async (fixtures, operation) =>
    operation.requestBody
      ? { ...idle(fixtures, operation), body: { nonsense: 1 } }
      : { ...idle(fixtures, operation), headers: { "if-match": "nonsense" } },
  unknown_parameter: async (fixtures, operation) => ({
    ...idle(fixtures, operation),
    path: withQuery(operation, "nonsense=1"),
  }),
  invalid_parameter: async (fixtures, operation) => {
    const name = operation.parameters?.find((parameter) => parameter.in === "query")?.name ?? "";
    const twice = `${encodeURIComponent(name)}=1&${encodeURIComponent(name)}=1`;
    return { ...idle(fixtures, operation), path: withQuery(operation, twice) };
  },
  invalid_cursor: async (fixtures, operation) => ({
    ...idle(fixtures, operation),
    path: withQuery(operation, "cursor=nonsense"),
  }),
  invalid_body: async (fixtures, operation) => ({ ...idle(fixtures, operation), body: [] }),
  unauthenticated: async (fixtures, operation) => ({ ...idle(fixtures, operation), token: null }),
  insufficient_scope: async (fixtures, operation) => {
    const scopes = new Set(operation.security.flatMap(({ oauth2 }) => oauth2));
    if (!scopes.has("erp:read"))
      return { ...idle(fixtures, operation), token: fixtures.tokens[scopes.has("crm:read") ? "erp" : "reader"] };
    // Any token may read products, but not their owners, nor other kinds.
    const ofOthers = (operation.parameters ?? []).some(({ name }) => name === "objects");
    return { path: withQuery(operation, ofOthers ? "objects=contacts" : "expand=owner"), token: fixtures.tokens.erp };
  },
  forbidden: async (fixtures, operation) => ({ ...idle(fixtures, operation), token: fixtures.tokens.member }),
  not_found: async (fixtures, operation) => idle(fixtures, operation),
  precondition_failed: async (fixtures, operation) => {
    return {
      ...(takesIfMatch(operation) ? await validRequest(fixtures, operation) : idle(fixtures, operation)),
      headers: { "if-match": '"999"' },
    };
  },
  payload_too_large: async (fixtures, operation) => ({
    ...idle(fixtures, operation),
    body: { nonsense: "x".repeat(MEGABYTE) },
  }),
  storage_quota_exceeded: async (fixtures, operation) => ({
    ...idle(fixtures, operation),
    token: fixtures.tokens.full,
  }),
  unsupported_media_type: async (fixtures, operation) => ({
    ...idle(fixtures, operation),
    text: "name=x",
    headers: { "content-type": "application/x-www-form-urlencoded" },
  }),
  idempotency_key_reused: async (fixtures, operation) => {
    const first = { ...idle(fixtures, operation), headers: { "idempotency-key": randomUUID() } };
    await fixtures.send(operation.method, first.path, first.body, first.headers);
    if (operation.requestBody) return { ...first, body: await validBody(fixtures, operation) };
    await deleteStoredAnswers(fixtures.organizationId);
    return first;
  },
  idempotency_key_in_use: async (fixtures, operation) => {
    const apiRequest = { ...(await validRequest(fixtures, operation)), headers: { "idempotency-key": randomUUID() } };
    const blocked = await blockWrites();
    const first = fixtures.sendToWeb(operation.method, apiRequest.path, apiRequest.body, apiRequest.headers);
    await blocked.untilClaimed(fixtures.organizationId);
    return { ...apiRequest, finish: () => Promise.all([blocked.release(), first]) };
  },
  too_many_requests: async (fixtures, operation) => ({ ...idle(fixtures, operation), token: fixtures.tokens.spent }),
  service_unavailable: async (fixtures, operation) => idle(fixtures, operation),
  internal_error: async (fixtures, operation) => idle(fixtures, operation),
};

/** True if a request can depend on the version of its record. */
function takesIfMatch({ method, parameters = [] }: Operation): boolean {
  return method === "GET" || parameters.some(({ name }) => name === "If-Match");
}

function withQuery(operation: Operation, query: string): string {
  const path = emptyPath(operation);
  return `${path}${path.includes("?") ? "&" : "?"}${query}`;
}

/** A request for ids that do not exist, for refusals that come before the look-up. */
function idle({ tokens, receiver }: Fixtures, operation: Operation): ApiRequest {
  const example = operation.requestBody?.content["application/json"].example;
  const body = example && "url" in example ? { ...example, url: receiver.url } : example;
  return { path: emptyPath(operation), token: tokens.writer, ...(body && { body }) };
}
