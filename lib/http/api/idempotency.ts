import type { Context } from "@/lib/context";
import { isRolledBack } from "@/lib/database/error-codes";
import { AppError } from "@/lib/errors";
import {
  claimKey,
  type KeptResponse,
  storeResponse,
  releaseKey,
  type RequestDigest,
} from "@/lib/http/api/idempotency-store";
import { isSafe } from "@/lib/http/request";
import { newId } from "@/lib/ids";
import { log } from "@/lib/log";
import { sha256 } from "@/lib/security/crypto";

const IDEMPOTENCY_KEY = "idempotency-key";

/** A structured-field string (RFC 8941 §3.3.3), as the draft has it, or the bare text that most clients send. */
const QUOTED = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\]){1,255})"$/;

const BARE = /^[\x21\x23-\x2b\x2d-\x7e]{1,255}$/;

/** What of an answer is the operation's own; the rest belongs to the one request. */
const KEPT_HEADERS = new Set(["content-type", "cache-control", "etag", "location"]);

interface KeyedRequest {
  request: Request;
  context: Context;
  /** What path and body say: the same key for something else is a mistake. */
  input: unknown;
}

/**
 * Carries a POST out once per `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header-06): a repeat within 24
 * hours gets the first answer, whatever it was, unless that was a defect of ours (5xx) or asked to try again (429). A
 * failure of which nobody can tell whether the work was done keeps the key for as long as a crash does. Throws
 * `invalid_request` for what is no key and for other methods that change something, `idempotency_key_in_use` while the
 * first is under way, `idempotency_key_reused` when the key stands for another request, and what `answer` throws beside
 * refusals.
 */
export async function answerOnce(
  asked: KeyedRequest,
  answer: () => Promise<Response>,
  refuse: (error: AppError) => Response,
): Promise<Response> {
  const given = asked.request.headers.get(IDEMPOTENCY_KEY);
  if (given === null || isSafe(asked.request.method)) return answer();
  if (asked.request.method !== "POST") throw keyOnPostOnly(asked.request.method);
  const digest = digestOf(asked, readKey(given));
  const attempt = newId();
  const claim = await claimKey(digest, attempt);
  if (claim.state === "answered") return replay(claim.answer);
  if (claim.state !== "claimed") throw conflictOf(claim.state);
  try {
    const response = await answer().catch((error: unknown) => {
      if (error instanceof AppError) return refuse(error);
      throw error;
    });
    await keepResponse(digest, attempt, response.clone()).catch((error: unknown) =>
      log.warn({ err: error }, "could not keep the answer to a repeatable request"),
    );
    return response;
  } catch (error) {
    // A COMMIT may have been carried out and its answer lost; a repeat must not do the work again at once.
    if (isRolledBack(error)) await releaseKey(digest, attempt);
    throw error;
  }
}

/** Ignored, it would promise that a repeat does nothing, and a PATCH can undo what somebody else has changed since. */
function keyOnPostOnly(method: string): AppError {
  const detail =
    `\`idempotency-key\` is for POST alone. A ${method} may be repeated as it is; send \`if-match\` so that it ` +
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

/** Keys of different clients, people and addresses have nothing to do with each other. */
function digestOf({ request, context, input }: KeyedRequest, key: string): RequestDigest {
  const { pathname } = new URL(request.url);
  const whose = [context.clientId, context.userId, request.method, pathname, key];
  return {
    organizationId: context.organizationId,
    key: sha256(JSON.stringify(whose)),
    body: sha256(canonicalJson(input)),
  };
}

async function keepResponse(digest: RequestDigest, attempt: string, response: Response): Promise<void> {
  // Nothing was done then, and the same request is to be sent again.
  if (response.status >= 500 || response.status === 429) return releaseKey(digest, attempt);
  const headers = Object.fromEntries([...response.headers].filter(([name]) => KEPT_HEADERS.has(name)));
  return storeResponse(digest, attempt, { status: response.status, headers, body: await response.text() });
}

function replay({ status, headers, body }: KeptResponse): Response {
  return new Response(body, { status, headers: { ...headers, "idempotent-replayed": "true" } });
}

function conflictOf(state: "in_use" | "reused"): AppError {
  if (state === "in_use") {
    return new AppError(
      "idempotency_key_in_use",
      "The first request with this idempotency key is still being carried out. Try again soon.",
      {
        retryAfter: 1,
      },
    );
  }
  return new AppError(
    "idempotency_key_reused",
    "Another request was sent here with this idempotency key in the last 24 hours. Use a new key.",
  );
}

/**
 * A JSON value as text that is the same whatever the order of names in its objects: they say the same (RFC 8259 §4).
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
