import { randomUUID } from "node:crypto";

import type { Asking } from "@/tests/service/api/support/ask";
import type { Operation } from "@/tests/service/api/support/document";
import { emptyPath, validBody, validRequest } from "@/tests/service/api/support/valid-requests";
import type { World } from "@/tests/service/api/support/world";
import { forgetAnswers } from "@/tests/service/setup/forget-answers";
import { holdWrites } from "@/tests/service/setup/hold-writes";

/** A request that is to be refused, and what is to be done once it has been. */
export type Refused = Asking & { finish?: () => Promise<unknown> };
export type MakeRefused = (world: World, operation: Operation) => Promise<Refused>;

const MEGABYTE = 1024 * 1024;

/** What every operation refuses in the same way, by the code of the refusal. */
export const REFUSALS: Record<string, MakeRefused> = {
  invalid_request: async (world, operation) =>
    operation.requestBody
      ? { ...idle(world, operation), body: { nonsense: 1 } }
      : { ...idle(world, operation), headers: { "if-match": "nonsense" } },
  unknown_parameter: async (world, operation) => ({
    ...idle(world, operation),
    path: `${emptyPath(operation)}?nonsense=1`,
  }),
  invalid_parameter: async (world, operation) => {
    const name = operation.parameters?.find((parameter) => parameter.in === "query")?.name ?? "";
    const twice = `${encodeURIComponent(name)}=1&${encodeURIComponent(name)}=1`;
    return { ...idle(world, operation), path: `${emptyPath(operation)}?${twice}` };
  },
  invalid_cursor: async (world, operation) => ({
    ...idle(world, operation),
    path: `${emptyPath(operation)}?cursor=nonsense`,
  }),
  invalid_body: async (world, operation) => ({ ...idle(world, operation), body: [] }),
  unauthenticated: async (world, operation) => ({ ...idle(world, operation), token: null }),
  insufficient_scope: async (world, operation) => {
    const scopes = new Set(operation.security.flatMap(({ oauth2 }) => oauth2));
    if (!scopes.has("erp:read"))
      return { ...idle(world, operation), token: world.tokens[scopes.has("crm:read") ? "erp" : "reader"] };
    // Any token reads products, but not who owns them.
    return { path: `${emptyPath(operation)}?expand=owner`, token: world.tokens.erp };
  },
  forbidden: async (world, operation) => ({ ...idle(world, operation), token: world.tokens.member }),
  not_found: async (world, operation) => idle(world, operation),
  precondition_failed: async (world, operation) => {
    return {
      ...(hasVersion(operation) ? await validRequest(world, operation) : idle(world, operation)),
      headers: { "if-match": '"999"' },
    };
  },
  payload_too_large: async (world, operation) => ({
    ...idle(world, operation),
    body: { nonsense: "x".repeat(MEGABYTE) },
  }),
  storage_quota_exceeded: async (world, operation) => ({ ...idle(world, operation), token: world.tokens.full }),
  unsupported_media_type: async (world, operation) => ({
    ...idle(world, operation),
    text: "name=x",
    headers: { "content-type": "application/x-www-form-urlencoded" },
  }),
  idempotency_key_reused: async (world, operation) => {
    const first = { ...idle(world, operation), headers: { "idempotency-key": randomUUID() } };
    await world.send(operation.method, first.path, first.body, first.headers);
    if (operation.requestBody) return { ...first, body: await validBody(world, operation) };
    await forgetAnswers(world.organizationId);
    return first;
  },
  idempotency_key_in_use: async (world, operation) => {
    const asking = { ...(await validRequest(world, operation)), headers: { "idempotency-key": randomUUID() } };
    const held = await holdWrites();
    const first = world.sendToWeb(operation.method, asking.path, asking.body, asking.headers);
    await held.untilClaimed(world.organizationId);
    return { ...asking, finish: () => Promise.all([held.letGo(), first]) };
  },
  too_many_requests: async (world, operation) => ({ ...idle(world, operation), token: world.tokens.spent }),
  internal_error: async (world, operation) => idle(world, operation),
};

/** Whether a request can depend on the version of what it is about. */
function hasVersion({ method, parameters = [], responses }: Operation): boolean {
  return (
    parameters.some(({ name }) => name === "If-Match") ||
    (method === "GET" && Object.hasOwn(responses["200"]?.headers ?? {}, "etag"))
  );
}

/** A request about nothing that is there, for refusals that come before anybody looks. */
function idle({ tokens, receiver }: World, operation: Operation): Asking {
  const example = operation.requestBody?.content["application/json"].example;
  const body = example && "url" in example ? { ...example, url: receiver.url } : example;
  return { path: emptyPath(operation), token: tokens.writer, ...(body && { body }) };
}
