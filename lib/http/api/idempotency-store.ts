import type { ClientBase, Pool } from "pg";

import { pool } from "@/lib/database/db";
import { LOCK_NOT_AVAILABLE, postgresCode } from "@/lib/database/error-codes";
import { inOrganization } from "@/lib/database/organization-scope";
import { IDEMPOTENCY_HOURS } from "@/lib/database/purge-idempotency-keys";
import { AppError } from "@/lib/errors";
import { countInMemory } from "@/lib/http/api/rate-limit";
import { decrypt, encrypt, type EncryptionContext, DecryptionError } from "@/lib/security/crypto";
import type { Throttle } from "@/lib/security/throttle";

/** Identifies a request: SHA-256 of its client, user, route and key, and of its content. */
export interface RequestDigest {
  organizationId: string;
  key: Buffer;
  body: Buffer;
}

/** A stored response. */
export interface KeptResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Longer bodies are not stored. A repeat of such a request only learns that it was carried out. */
const MAX_KEPT_BYTES = 1024 * 1024;

/**
 * Bodies of an organization beyond so many bytes are not stored either: 1.5 GiB within the day for which they are kept,
 * per web process.
 */
const KEPT_BYTES_THROTTLE: Throttle = { name: "kept-answers", limit: 64 * 1024 * 1024, windowSeconds: 3600 };

/**
 * Whether the attempt may go ahead. If not: the first request is in flight, the key stands for another request, or the
 * stored response is to be replayed.
 */
export type Claim =
  | { state: "claimed" }
  | { state: "in_use" | "reused" }
  | { state: "replayable"; response: KeptResponse };

/**
 * After this time without a response, the first attempt is considered dead. It is longer than any request of ours
 * takes: connecting an org takes less than two minutes (`lib/salesforce/probe.ts`).
 */
const LEASE_SECONDS = 120;

/**
 * A key is free if nobody has used it for 24 hours, or if the attempt that had it for this very request is dead and has
 * committed nothing. A transaction of that attempt that is being committed holds the row, so the claim waits for it.
 */
const CLAIM_KEY = `
  INSERT INTO idempotency_keys AS k (organization_id, key_hash, body_hash, attempt, created_at, leased_until)
  VALUES ($1, $2, $3, $4, now(), now() + ${LEASE_SECONDS} * interval '1 second')
  ON CONFLICT (organization_id, key_hash) DO UPDATE
    SET body_hash = excluded.body_hash, attempt = excluded.attempt, created_at = excluded.created_at,
      leased_until = excluded.leased_until, committed = false, status = NULL, headers = NULL, body = NULL
    WHERE k.created_at < now() - ${IDEMPOTENCY_HOURS} * interval '1 hour'
      OR (k.status IS NULL AND NOT k.committed AND k.leased_until < now() AND k.body_hash = excluded.body_hash)
  RETURNING attempt`;

/** Bodies are stored encrypted, since one may hold a secret that is shown only once. */
function placeOf({ organizationId, key }: Pick<RequestDigest, "organizationId" | "key">): EncryptionContext {
  return ["idempotency_keys.body", organizationId, key.toString("hex")];
}

interface KeptRow {
  body_hash: Buffer;
  is_answer_lost: boolean;
  status: number | null;
  headers: Record<string, string> | null;
  body: Buffer | null;
}

const FIND_KEY = `
  SELECT body_hash, status IS NULL AND committed AND leased_until < now() AS is_answer_lost, status, headers, body
  FROM idempotency_keys WHERE organization_id = $1 AND key_hash = $2`;

const MARK_COMMITTED = `
  UPDATE idempotency_keys SET committed = true WHERE organization_id = $1 AND key_hash = $2 AND attempt = $3`;

const RELEASE_KEY = "DELETE FROM idempotency_keys WHERE organization_id = $1 AND key_hash = $2 AND attempt = $3";

const STORE_RESPONSE = `
  UPDATE idempotency_keys SET status = $4, headers = $5, body = $6
  WHERE organization_id = $1 AND key_hash = $2 AND attempt = $3`;

/**
 * Claims the key for this attempt, in a separate statement, so that of two simultaneous requests only one goes ahead.
 */
export async function claimKey({ organizationId, key, body }: RequestDigest, attempt: string): Promise<Claim> {
  const claimed = await pool()
    .query(CLAIM_KEY, [organizationId, key, body, attempt])
    .catch((error: unknown) => {
      // The first attempt holds its key's row from its answer to its commit.
      if (postgresCode(error) === LOCK_NOT_AVAILABLE) return null;
      throw error;
    });
  if (claimed === null) return { state: "in_use" };
  if (claimed.rowCount === 1) return { state: "claimed" };
  const { rows } = await pool().query<KeptRow>(FIND_KEY, [organizationId, key]);
  const [found] = rows;
  if (found && !found.body_hash.equals(body)) return { state: "reused" };
  if (found?.is_answer_lost) throw new AppError("idempotency_key_reused", LOST_DETAIL);
  if (!found || found.status === null) return { state: "in_use" };
  const text = openBody({ organizationId, key }, found.body);
  return { state: "replayable", response: { status: found.status, headers: found.headers ?? {}, body: text } };
}

/** Decrypts a stored body. If that is impossible, the request must still not be carried out again. */
function openBody(digest: Pick<RequestDigest, "organizationId" | "key">, body: Buffer | null): string {
  if (body === null) throw new AppError("idempotency_key_reused", NOT_KEPT_DETAIL);
  try {
    return decrypt(placeOf(digest), body);
  } catch (error) {
    if (!(error instanceof DecryptionError)) throw error;
    const detail =
      "This request has been carried out, but its answer can no longer be read, since the secret of this service was " +
      "changed. Look at what it did; for another request use a new key.";
    throw new AppError("idempotency_key_reused", detail, { cause: error });
  }
}

const LOST_DETAIL =
  "This request has been carried out, at least in part, but the service was interrupted before it could keep the " +
  "answer. Look at what it did; for another request use a new key.";

const NOT_KEPT_DETAIL =
  "This request has been carried out, but its answer was too large to be kept. Look at what it did; for another " +
  "request use a new key.";

/**
 * Says, in the transaction of `client`, that the attempt has committed something, so that no repeat does it again even
 * if the response is never stored. Returns false if another attempt has claimed the key meanwhile.
 */
export async function markCommitted(
  client: ClientBase,
  { organizationId, key }: RequestDigest,
  attempt: string,
): Promise<boolean> {
  const values = [organizationId, key, attempt];
  return (await inOrganization(organizationId, () => client.query(MARK_COMMITTED, values))).rowCount === 1;
}

/**
 * Stores the response of an attempt, without the body if that is too large, over the pool or in the transaction of
 * `client`. Returns false if another attempt has claimed the key meanwhile: then nothing is stored.
 */
export async function storeResponse(
  { organizationId, key }: RequestDigest,
  attempt: string,
  response: KeptResponse,
  client: Pool | ClientBase = pool(),
): Promise<boolean> {
  const body = isKept(organizationId, Buffer.byteLength(response.body))
    ? encrypt(placeOf({ organizationId, key }), response.body)
    : null;
  const values = [organizationId, key, attempt, response.status, response.headers, body];
  return (await client.query(STORE_RESPONSE, values)).rowCount === 1;
}

function isKept(organizationId: string, bytes: number): boolean {
  return (
    bytes <= MAX_KEPT_BYTES &&
    countInMemory(KEPT_BYTES_THROTTLE, organizationId, bytes).count <= KEPT_BYTES_THROTTLE.limit
  );
}

/** Releases the key of an attempt, also if something was committed that does not count as carrying it out. */
export async function releaseKey({ organizationId, key }: RequestDigest, attempt: string): Promise<void> {
  await pool().query(RELEASE_KEY, [organizationId, key, attempt]);
}

/** Releases the key of an attempt that has committed nothing. */
export async function releaseUncommitted({ organizationId, key }: RequestDigest, attempt: string): Promise<void> {
  await pool().query(`${RELEASE_KEY} AND NOT committed AND status IS NULL`, [organizationId, key, attempt]);
}
