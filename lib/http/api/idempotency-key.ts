import type { Context } from "@/lib/context";
import { AppError } from "@/lib/errors";
import type { RequestDigest } from "@/lib/http/api/idempotency-store";
import { canonicalJson } from "@/lib/input/bounded-json";
import { sha256 } from "@/lib/security/crypto";

export const IDEMPOTENCY_KEY = "idempotency-key";

/** A structured-field string (RFC 8941 §3.3.3), as the draft requires, or the bare text that most clients send. */
const QUOTED = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\]){1,255})"$/;

const BARE = /^[\x21\x23-\x2b\x2d-\x7e]{1,255}$/;

export interface KeyedRequest {
  request: Request;
  context: Context;
  /** What path and body say. The same key with another input is a mistake. */
  input: unknown;
}

/**
 * What identifies a request: a key counts for one client, person, method and path; the same text elsewhere is another
 * key. Throws `invalid_request` for a malformed key and for methods other than POST.
 */
export function digestOf({ request, context, input }: KeyedRequest): RequestDigest {
  if (request.method !== "POST") throw keyOnPostOnly(request.method);
  const key = readKey(request.headers.get(IDEMPOTENCY_KEY) ?? "");
  const { pathname } = new URL(request.url);
  const owner = [context.clientId, context.userId, request.method, pathname, key];
  return {
    organizationId: context.organizationId,
    key: sha256(JSON.stringify(owner)),
    body: sha256(canonicalJson(input)),
  };
}

/**
 * Ignoring the key would be wrong: a client would believe that a repeat does nothing, while a repeated PATCH can undo
 * what somebody else has changed since.
 */
function keyOnPostOnly(method: string): AppError {
  const detail =
    `\`idempotency-key\` is for POST alone. A ${method} can be repeated without one; send \`if-match\` so that it ` +
    "undoes nobody else's change.";
  return new AppError("invalid_request", detail);
}

function readKey(given: string): string {
  const [, quoted] = QUOTED.exec(given) ?? [];
  if (quoted !== undefined) return quoted.replaceAll(/\\(["\\])/g, "$1");
  if (BARE.test(given)) return given;
  throw new AppError(
    "invalid_request",
    "`idempotency-key` must be 1 to 255 printable ASCII characters, best a UUID, once; with a space or a comma in " +
      "it, within double quotes.",
  );
}
