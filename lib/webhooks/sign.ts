import { createHmac, createSecretKey, type KeyObject } from "node:crypto";

const GENERATED_PREFIX = "whsec_";
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

const UNPADDED_BASE64 = /^[A-Za-z0-9+/]+$/;

/** What is signed for one attempt. */
export interface Signed {
  /** The event's id. */
  id: string;
  /** Seconds since 1970, of this attempt. */
  timestamp: number;
  body: string;
}

/**
 * The `webhook-signature` header: one `v1` signature (HMAC-SHA256, base64) for each key, separated by spaces. Several are sent while a secret is being
 * rotated (Standard Webhooks, "Webhook headers" and "Zero downtime secret rotation").
 */
export function signatureHeader(secrets: readonly string[], { id, timestamp, body }: Signed): string {
  const content = `${id}.${timestamp}.${body}`;
  const signatures = keysFor(secrets).map((key) => `v1,${createHmac("sha256", key).update(content).digest("base64")}`);
  return signatures.join(" ");
}

const prepared = new WeakMap<readonly string[], KeyObject[]>();

/** Many deliveries are signed by the same secrets: preparing a key takes longer than signing by it. */
function keysFor(secrets: readonly string[]): KeyObject[] {
  const keys = prepared.get(secrets) ?? secrets.flatMap(keysOf).map((key) => createSecretKey(key));
  prepared.set(secrets, keys);
  return keys;
}

/**
 * The keys that a secret stands for. `whsec_…` is base64 of the key. Any other secret is the key as it stands; verifiers that take every secret for
 * base64, with its padding or without, find a second signature by the decoded key, where there is one.
 */
function keysOf(secret: string): Buffer[] {
  if (secret.startsWith(GENERATED_PREFIX)) return [Buffer.from(secret.slice(GENERATED_PREFIX.length), "base64")];
  const raw = Buffer.from(secret, "latin1");
  return UNPADDED_BASE64.test(secret) || isBase64(secret) ? [raw, Buffer.from(secret, "base64")] : [raw];
}

/** Whether a text is base64 in its one right spelling, with padding. */
export function isBase64(text: string): boolean {
  return text !== "" && BASE64.test(text);
}
