import { createHmac, createSecretKey, type KeyObject, randomBytes } from "node:crypto";

import { z } from "zod";

import { log } from "@/lib/log";
import { decrypt, encrypt, DecryptionError } from "@/lib/security/crypto";
import type { WebhookKey } from "@/lib/webhooks/endpoints/webhook-schema";

const SECRET_PREFIX = "whsec_";

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
function isBase64(text: string): boolean {
  return text !== "" && BASE64.test(text);
}

/** The length of the key after `whsec_`, in bytes (Standard Webhooks). */
const [MIN_KEY_BYTES, MAX_KEY_BYTES] = [24, 64];

const MAX_SECRET_LENGTH = 128;

const MIN_SECRET_LENGTH = 8;

const PRINTABLE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/** A secret as Standard Webhooks writes it: `whsec_` and the base64 of 32 random bytes. */
export function generateSecret(): string {
  return SECRET_PREFIX + randomBytes(32).toString("base64");
}

/** A given secret: `whsec_…`, or any printable ASCII. */
export const secretInput = z
  .string()
  .superRefine((secret, context) => {
    const fault = secretFault(secret);
    if (fault) context.addIssue({ code: "custom", message: fault, params: { code: "invalid_format" } });
  })
  .describe(
    "Signs every delivery. Either `whsec_` with base64 of 24 to 64 bytes, or 8 to 128 printable ASCII characters, " +
      "whose bytes are the key.",
  );

function secretFault(secret: string): string | undefined {
  if (!PRINTABLE.test(secret))
    return "A secret consists of printable ASCII characters and neither begins nor ends with a space.";
  if (!secret.startsWith(SECRET_PREFIX)) {
    const fits = secret.length >= MIN_SECRET_LENGTH && secret.length <= MAX_SECRET_LENGTH;
    return fits ? undefined : `A secret has ${MIN_SECRET_LENGTH} to ${MAX_SECRET_LENGTH} characters.`;
  }
  const encoded = secret.slice(SECRET_PREFIX.length);
  const bytes = Buffer.from(encoded, "base64").length;
  if (isBase64(encoded) && bytes >= MIN_KEY_BYTES && bytes <= MAX_KEY_BYTES) return undefined;
  const size = `${MIN_KEY_BYTES} to ${MAX_KEY_BYTES} bytes`;
  return `After \`${SECRET_PREFIX}\` a secret holds base64 of ${size}, with its padding.`;
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
