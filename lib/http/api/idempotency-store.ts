import { pool } from "@/lib/database/db";
import { IDEMPOTENCY_HOURS } from "@/lib/database/housekeeping";
import { AppError } from "@/lib/errors";
import { countInMemory } from "@/lib/http/api/rate-limit";
import { decrypt, encrypt, type EncryptionContext, DecryptionError } from "@/lib/security/crypto";
import type { Throttle } from "@/lib/security/throttle";

/** Which request this is: SHA-256 of client, user, route and key, and of what it says. */
export interface RequestDigest {
  organizationId: string;
  key: Buffer;
  body: Buffer;
}

/** An answer as it is kept. */
export interface KeptResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

const MEBIBYTE = 1024 * 1024;

/**
 * More of a body is not kept: whoever repeats the request learns that it was carried out, and has to look at what it
 * did.
 */
const MAX_KEPT_BYTES = MEBIBYTE;

/**
 * Nor are more bodies of an organization, in bytes: 1.5 GiB in the day for which they are kept, by each web process.
 */
const KEPT_BYTES_THROTTLE: Throttle = { name: "kept-answers", limit: 64 * MEBIBYTE, windowSeconds: 3600 };

/**
 * Who may go ahead, or why not: the request is being carried out, the key stands for another one, or here is the
 * response.
 */
export type Claim =
  | { state: "claimed" }
  | { state: "in_use" | "reused" }
  | { state: "replayable"; response: KeptResponse };

/**
 * After this long without an answer, whatever worked on a request is taken for dead. Longer than any request of ours
 * takes: to connect an org takes less than two minutes (`lib/salesforce/probe.ts`).
 */
const LEASE_SECONDS = 120;

/** A key is free when nobody had it in 24 hours, or when who had it for this very request died over it. */
const CLAIM_KEY = `
  WITH cleared AS (
    DELETE FROM idempotency_keys WHERE (organization_id, key_hash) IN (
      SELECT organization_id, key_hash FROM idempotency_keys
      WHERE created_at < now() - ${IDEMPOTENCY_HOURS} * interval '1 hour' AND key_hash <> $2 ORDER BY created_at LIMIT 100 FOR UPDATE SKIP LOCKED
    )
  )
  INSERT INTO idempotency_keys AS k (organization_id, key_hash, body_hash, attempt, created_at, leased_until)
  VALUES ($1, $2, $3, $4, now(), now() + ${LEASE_SECONDS} * interval '1 second')
  ON CONFLICT (organization_id, key_hash) DO UPDATE
    SET body_hash = excluded.body_hash, attempt = excluded.attempt, created_at = excluded.created_at, leased_until = excluded.leased_until,
      status = NULL, headers = NULL, body = NULL
    WHERE k.created_at < now() - ${IDEMPOTENCY_HOURS} * interval '1 hour'
      OR (k.status IS NULL AND k.leased_until < now() AND k.body_hash = excluded.body_hash)
  RETURNING attempt`;

/** Bodies are kept encrypted: one may hold a secret that is given out once. */
function placeOf({ organizationId, key }: Pick<RequestDigest, "organizationId" | "key">): EncryptionContext {
  return ["idempotency_keys.body", organizationId, key.toString("hex")];
}

interface KeptRow {
  body_hash: Buffer;
  status: number | null;
  headers: Record<string, string> | null;
  body: Buffer | null;
}

const FIND_KEY =
  "SELECT body_hash, status, headers, body FROM idempotency_keys WHERE organization_id = $1 AND key_hash = $2";

const STORE_RESPONSE = `
  UPDATE idempotency_keys SET status = $4, headers = $5, body = $6 WHERE organization_id = $1 AND key_hash = $2 AND attempt = $3`;

/** Takes the key for this attempt, in a statement of its own, so that of two requests at once only one goes ahead. */
export async function claimKey({ organizationId, key, body }: RequestDigest, attempt: string): Promise<Claim> {
  const claimed = await pool().query(CLAIM_KEY, [organizationId, key, body, attempt]);
  if (claimed.rowCount === 1) return { state: "claimed" };
  const { rows } = await pool().query<KeptRow>(FIND_KEY, [organizationId, key]);
  const [found] = rows;
  if (found && !found.body_hash.equals(body)) return { state: "reused" };
  if (!found || found.status === null) return { state: "in_use" };
  const text = openBody({ organizationId, key }, found.body);
  return { state: "replayable", response: { status: found.status, headers: found.headers ?? {}, body: text } };
}

/** Without the answer nobody may carry the request out again: it has been. */
function openBody(digest: Pick<RequestDigest, "organizationId" | "key">, body: Buffer | null): string {
  if (body === null) throw new AppError("idempotency_key_reused", NOT_KEPT_DETAIL);
  try {
    return decrypt(placeOf(digest), body);
  } catch (error) {
    if (!(error instanceof DecryptionError)) throw error;
    const detail =
      "This request has been carried out, and its answer cannot be read any more, since the secret of this service " +
      "was changed. Look at what it did; " +
      "for another request use a new key.";
    throw new AppError("idempotency_key_reused", detail, { cause: error });
  }
}

const NOT_KEPT_DETAIL =
  "This request has been carried out, and its answer was too large to be kept. Look at what it did; for another " +
  "request use a new key.";

/**
 * Keeps the answer of an attempt, without its body where that is too large, unless another attempt has taken the key
 * meanwhile.
 */
export async function storeResponse(
  { organizationId, key }: RequestDigest,
  attempt: string,
  response: KeptResponse,
): Promise<void> {
  const body = isKept(organizationId, Buffer.byteLength(response.body))
    ? encrypt(placeOf({ organizationId, key }), response.body)
    : null;
  await pool().query(STORE_RESPONSE, [organizationId, key, attempt, response.status, response.headers, body]);
}

function isKept(organizationId: string, bytes: number): boolean {
  return (
    bytes <= MAX_KEPT_BYTES &&
    countInMemory(KEPT_BYTES_THROTTLE, organizationId, bytes).count <= KEPT_BYTES_THROTTLE.limit
  );
}

/** Gives the key of an attempt free. */
export async function releaseKey({ organizationId, key }: RequestDigest, attempt: string): Promise<void> {
  await pool().query("DELETE FROM idempotency_keys WHERE organization_id = $1 AND key_hash = $2 AND attempt = $3", [
    organizationId,
    key,
    attempt,
  ]);
}
