import type { PoolClient } from "pg";

import { withEachCommit } from "@/lib/database/db";
import { isRolledBack } from "@/lib/database/error-codes";
import { inOrganization } from "@/lib/database/organization-scope";
import { AppError } from "@/lib/errors";
import { digestOf, type KeyedRequest } from "@/lib/http/api/idempotency-key";
import {
  claimKey,
  markCommitted,
  type KeptResponse,
  storeResponse,
  releaseKey,
  releaseUncommitted,
  type RequestDigest,
} from "@/lib/http/api/idempotency-store";
import { newId } from "@/lib/ids";
import { log } from "@/lib/log";

/** The headers of a response that belong to the operation; the others belong to the one request. */
const KEPT_HEADERS = new Set(["content-type", "cache-control", "etag", "location"]);

/** An attempt to carry out a request with a key. */
interface Attempt {
  id: string;
  digest: RequestDigest;
  /** The response of an earlier attempt that was carried out. It is to be replayed, and nothing else to be done. */
  kept?: KeptResponse;
  /** Whether the transaction that does the work keeps the response too. */
  isKeptWithWork: boolean;
}

/**
 * Carries a POST out once per `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header-06), in three steps: claim
 * the key here, {@link runAttempt}, then {@link keepResponse} or, after a defect, {@link abandonAttempt}. A repeat
 * within 24 hours gets the first response, also a refusal. Throws `invalid_request` for a malformed key and for methods
 * other than POST, `idempotency_key_in_use` while the first request is in flight, and `idempotency_key_reused` if the
 * key stands for another request. Call it only if the header is present.
 */
export async function beginAttempt(keyed: KeyedRequest): Promise<Attempt> {
  const digest = digestOf(keyed);
  const id = newId();
  const claim = await inOrganization(digest.organizationId, () => claimKey(digest, id));
  if (claim.state === "claimed") return { id, digest, isKeptWithWork: false };
  if (claim.state === "replayable") return { id, digest, kept: claim.response, isKeptWithWork: false };
  throw conflictOf(claim.state);
}

/**
 * Runs the operation. Each transaction of it that does not keep the response ({@link keepWithWork}) marks the key, so
 * that nothing which it commits is done again. If another attempt has claimed the key meanwhile, because this one was
 * taken for dead, the transaction is rolled back with `idempotency_key_in_use`.
 */
export function runAttempt<Result>(attempt: Attempt, work: () => Promise<Result>): Promise<Result> {
  return withEachCommit(async (client) => {
    if (attempt.isKeptWithWork) return;
    if (!(await markCommitted(client, attempt.digest, attempt.id))) throw conflictOf("in_use");
  }, work);
}

/**
 * Keeps the response in the transaction of `client`, which does the whole work: a repeat then gets it, whenever the
 * process is killed. Throws as {@link runAttempt} does.
 */
export async function keepWithWork(client: PoolClient, attempt: Attempt, response: Response): Promise<void> {
  const kept = await keptForm(response);
  if (!(await storeResponse(attempt.digest, attempt.id, kept, client))) throw conflictOf("in_use");
  attempt.isKeptWithWork = true;
}

/**
 * Keeps the response for repeats, unless that was done with the work. After a 5xx or 429 it releases the key
 * instead: nothing was done then, and the same request is to be sent again. A failure to keep it is logged and not
 * thrown, since the work is done.
 */
export async function keepResponse({ id, digest, isKeptWithWork }: Attempt, response: Response): Promise<void> {
  const { status } = response;
  // A refusal has undone the transaction that kept a response.
  if (isKeptWithWork && response.ok) return;
  try {
    if (status >= 500 || status === 429) {
      await inOrganization(digest.organizationId, () => releaseKey(digest, id));
      return;
    }
    const kept = await keptForm(response.clone());
    await inOrganization(digest.organizationId, () => storeResponse(digest, id, kept));
  } catch (error) {
    log.warn({ err: error }, "could not keep the response to a repeatable request");
  }
}

async function keptForm(response: Response): Promise<KeptResponse> {
  const headers = Object.fromEntries([...response.headers].filter(([name]) => KEPT_HEADERS.has(name)));
  return { status: response.status, headers, body: await response.text() };
}

/**
 * Releases the key if `error` says that a transaction was rolled back, and none before it was committed. Otherwise a
 * COMMIT may have succeeded and its reply been lost: the key stays claimed for as long as after a crash. A repeat is
 * carried out then only if nothing was committed. It never throws: the caller is told of `error`.
 */
export async function abandonAttempt({ id, digest }: Attempt, error: unknown): Promise<void> {
  if (!isRolledBack(error)) return;
  await inOrganization(digest.organizationId, () => releaseUncommitted(digest, id)).catch((failure: unknown) =>
    log.warn({ err: failure }, "could not release the key of a repeatable request; its lease will end"),
  );
}

/** The response of an earlier attempt, marked as a repetition. */
export function replay({ status, headers, body }: KeptResponse): Response {
  return new Response(body, { status, headers: { ...headers, "idempotent-replayed": "true" } });
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
