import type { Context } from "@/lib/context";
import { withEachCommit } from "@/lib/database/db";
import { isRolledBack } from "@/lib/database/error-codes";
import { inOrganization } from "@/lib/database/organization-scope";
import { AppError } from "@/lib/errors";
import {
  claimKey,
  markCommitted,
  type KeptResponse,
  storeResponse,
  releaseKey,
  type RequestDigest,
} from "@/lib/http/api/idempotency-store";
import { newId } from "@/lib/ids";
import { log } from "@/lib/log";
import { sha256 } from "@/lib/security/crypto";

export const IDEMPOTENCY_KEY = "idempotency-key";

/** A structured-field string (RFC 8941 §3.3.3), as the draft requires, or the bare text that most clients send. */
const QUOTED = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\]){1,255})"$/;

const BARE = /^[\x21\x23-\x2b\x2d-\x7e]{1,255}$/;

/** The headers of a response that belong to the operation; the others belong to the one request. */
const KEPT_HEADERS = new Set(["content-type", "cache-control", "etag", "location"]);

interface KeyedRequest {
  request: Request;
  context: Context;
  /** What path and body say. The same key with another input is a mistake. */
  input: unknown;
}

/** An attempt to carry out a request with a key. */
interface Attempt {
  id: string;
  digest: RequestDigest;
  /** The response of an earlier attempt that was carried out. It is to be replayed, and nothing else to be done. */
  kept?: KeptResponse;
}

/**
 * Carries a POST out once per `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header-06), in three steps: claim
 * the key here, {@link runAttempt}, then {@link keepResponse} or, after a defect, {@link abandonAttempt}. A repeat
 * within 24 hours gets the first response, also a refusal. Throws `invalid_request` for a malformed key and for methods
 * other than POST, `idempotency_key_in_use` while the first request is in flight, and `idempotency_key_reused` if the
 * key stands for another request. Call it only if the header is present.
 */
export async function beginAttempt(keyed: KeyedRequest): Promise<Attempt> {
  const { request } = keyed;
  if (request.method !== "POST") throw keyOnPostOnly(request.method);
  const digest = digestOf(keyed, readKey(request.headers.get(IDEMPOTENCY_KEY) ?? ""));
  const id = newId();
  const claim = await inOrganization(digest.organizationId, () => claimKey(digest, id));
  if (claim.state === "claimed") return { id, digest };
  if (claim.state === "replayable") return { id, digest, kept: claim.response };
  throw conflictOf(claim.state);
}

/** Runs the operation so that each transaction of it also marks the key. */
export function runAttempt<Result>({ id, digest }: Attempt, work: () => Promise<Result>): Promise<Result> {
  return withEachCommit((client) => markCommitted(client, digest, id), work);
}

/**
 * Keeps the response for repeats. After a 5xx or 429 it releases the key instead: nothing was done then, and the same
 * request is to be sent again. A failure to keep it is logged and not thrown, since the work is done.
 */
export async function keepResponse({ id, digest }: Attempt, response: Response): Promise<void> {
  const { status } = response;
  try {
    if (status >= 500 || status === 429) {
      await inOrganization(digest.organizationId, () => releaseKey(digest, id));
      return;
    }
    const headers = Object.fromEntries([...response.headers].filter(([name]) => KEPT_HEADERS.has(name)));
    const body = await response.clone().text();
    await inOrganization(digest.organizationId, () => storeResponse(digest, id, { status, headers, body }));
  } catch (error) {
    log.warn({ err: error }, "could not keep the response to a repeatable request");
  }
}

/**
 * Releases the key if `error` says that the work was rolled back. Otherwise a COMMIT may have succeeded and its reply
 * been lost: the key stays claimed for as long as after a crash. A repeat is carried out then only if nothing was
 * committed. It never throws: the caller is told of `error`.
 */
export async function abandonAttempt({ id, digest }: Attempt, error: unknown): Promise<void> {
  if (!isRolledBack(error)) return;
  await inOrganization(digest.organizationId, () => releaseKey(digest, id)).catch((failure: unknown) =>
    log.warn({ err: failure }, "could not release the key of a repeatable request; its lease will end"),
  );
}

/** The response of an earlier attempt, marked as a repetition. */
export function replay({ status, headers, body }: KeptResponse): Response {
  return new Response(body, { status, headers: { ...headers, "idempotent-replayed": "true" } });
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

/** A key counts for one client, person, method and path; the same text elsewhere is another key. */
function digestOf({ request, context, input }: KeyedRequest, key: string): RequestDigest {
  const { pathname } = new URL(request.url);
  const owner = [context.clientId, context.userId, request.method, pathname, key];
  return {
    organizationId: context.organizationId,
    key: sha256(JSON.stringify(owner)),
    body: sha256(canonicalJson(input)),
  };
}

function conflictOf(state: "in_use" | "reused"): AppError {
  if (state === "in_use") {
    const detail = "The first request with this idempotency key is still being carried out. Try again soon.";
    return new AppError("idempotency_key_in_use", detail, { retryAfter: 1 });
  }
  return new AppError(
    "idempotency_key_reused",
    "Another request was sent here with this idempotency key in the last 24 hours. Use a new key.",
  );
}

/**
 * A JSON value as text that does not depend on the order of names in its objects, which has no meaning (RFC 8259 §4).
 */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => (isObject(part) ? sorted(part) : part));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function sorted(object: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
