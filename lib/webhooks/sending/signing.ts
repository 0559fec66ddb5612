import { createHmac, createSecretKey, type KeyObject } from "node:crypto";

import { log } from "@/lib/log";
import { decrypt, encrypt, DecryptionError } from "@/lib/security/crypto";
import type { WebhookKey } from "@/lib/webhooks/endpoints/webhook-schema";

export const SECRET_PREFIX = "whsec_";

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

const UNPADDED_BASE64 = /^[A-Za-z0-9+/]+$/;

/** The signed content of one attempt. */
export interface Signed {
  /** The event's id. */
  id: string;
  /** The time of the attempt, in seconds since 1970. */
  timestamp: number;
  body: string;
}

/**
 * The `webhook-signature` header: one `v1` signature (HMAC-SHA256, base64) for each key, separated by spaces. Several
 * are sent while a secret is being rotated (Standard Webhooks, "Webhook headers" and "Zero downtime secret rotation").
 */
export function signatureHeader(secrets: readonly string[], { id, timestamp, body }: Signed): string {
  const content = `${id}.${timestamp}.${body}`;
  const signatures = keysFor(secrets).map((key) => `v1,${createHmac("sha256", key).update(content).digest("base64")}`);
  return signatures.join(" ");
}

const prepared = new WeakMap<readonly string[], KeyObject[]>();

/** Cached, because creating a key takes longer than signing with it. */
function keysFor(secrets: readonly string[]): KeyObject[] {
  const keys = prepared.get(secrets) ?? secrets.flatMap(keysOf).map((key) => createSecretKey(key));
  prepared.set(secrets, keys);
  return keys;
}

/**
 * The keys of a secret. `whsec_…` is the base64 of the key; any other secret is the key itself. Some verifiers decode
 * every secret as base64, padded or not: for them there is a second signature by the decoded key, if it can be decoded.
 */
function keysOf(secret: string): Buffer[] {
  if (secret.startsWith(SECRET_PREFIX)) return [Buffer.from(secret.slice(SECRET_PREFIX.length), "base64")];
  const raw = Buffer.from(secret, "latin1");
  return UNPADDED_BASE64.test(secret) || isBase64(secret) ? [raw, Buffer.from(secret, "base64")] : [raw];
}

/** Whether a text is padded base64. */
export function isBase64(text: string): boolean {
  return text !== "" && BASE64.test(text);
}

/** The columns that hold a secret. */
type SecretColumn = "secret" | "previous_secret";

/** Encrypts a secret. It cannot be hashed, because signing needs it. */
export function sealSecret(
  { organizationId, webhookId }: WebhookKey,
  column: SecretColumn,
  secret: string,
): Uint8Array<ArrayBuffer> {
  return encrypt([`webhooks.${column}`, organizationId, webhookId], secret);
}

/** The reverse of {@link sealSecret}; null when it was encrypted under an APP_SECRET that is no longer set. */
export function openSecret(
  { organizationId, webhookId }: WebhookKey,
  column: SecretColumn,
  sealed: Uint8Array,
): string | null {
  try {
    return decrypt([`webhooks.${column}`, organizationId, webhookId], sealed);
  } catch (error) {
    if (!(error instanceof DecryptionError)) throw error;
    log.error({ webhook_id: webhookId, err: error }, "a webhook's secret cannot be decrypted");
    return null;
  }
}

/** Where deliveries of a webhook go, and the secrets that sign them. */
export interface Target {
  url: string;
  /** Null when the secret cannot be decrypted. */
  secrets: string[] | null;
}

/** A {@link Target} as stored. An expired previous secret is null. */
export interface SealedTarget {
  url: string;
  secret: Buffer | null;
  previous_secret: Buffer | null;
}

export function openTarget(key: WebhookKey, { url, secret, previous_secret }: SealedTarget): Target {
  return { url, secrets: secret === null ? [] : readableSecrets(key, secret, previous_secret) };
}

function readableSecrets(key: WebhookKey, sealed: Buffer, previousSealed: Buffer | null): string[] | null {
  const secret = openSecret(key, "secret", sealed);
  const previous = previousSealed && openSecret(key, "previous_secret", previousSealed);
  return secret === null ? null : [secret, ...(previous === null ? [] : [previous])];
}
