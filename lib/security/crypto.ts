import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hash,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";

import { env, requireSetting } from "@/lib/env";

const KEY_ID_BYTES = 8;

const IV_BYTES = 12;

const TAG_BYTES = 16;

/** 256 random bits, base64url: access tokens, codes, client secrets. */
export function randomSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** The stored form of 256-bit random secrets. They cannot be guessed, so no slow hash is needed. */
export function sha256(value: string): Buffer<ArrayBuffer> {
  return hash("sha256", value, "buffer");
}

/** Compares two digests in constant time. */
export function digestsEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.byteLength === b.byteLength && timingSafeEqual(a, b);
}

/**
 * A 256-bit key for one purpose, derived from the current APP_SECRET (HKDF, RFC 5869). Everything new is made with it.
 */
export function deriveKey(purpose: string): Buffer {
  return derive(requireSetting("APP_SECRET"), purpose);
}

/**
 * The same key from every configured secret, the current one first: what was made before a rotation is valid while the
 * previous secret is set.
 */
export function deriveKeys(purpose: string): Buffer[] {
  return secrets().map((secret) => derive(secret, purpose));
}

/** Authenticates `text` for one purpose under the current APP_SECRET: HMAC-SHA256 (RFC 2104), base64url. */
export function mac(purpose: string, text: string): string {
  return macUnder(deriveKey(purpose), text);
}

/** Whether `given` is the {@link mac} of `text` under any configured secret. Compares in constant time. */
export function isMac(purpose: string, text: string, given: string): boolean {
  return deriveKeys(purpose).some((key) => digestsEqual(Buffer.from(given), Buffer.from(macUnder(key, text))));
}

function macUnder(key: Buffer, text: string): string {
  return createHmac("sha256", key).update(text).digest("base64url");
}

function secrets(): string[] {
  return [requireSetting("APP_SECRET"), ...env.APP_SECRET_PREVIOUS];
}

function derive(secret: string, purpose: string, bytes = 32): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", `crm:${purpose}`, bytes));
}

/** Identifies a secret within a ciphertext without revealing anything about it. */
function keyIdOf(secret: string): Buffer {
  return derive(secret, "key-id", KEY_ID_BYTES);
}

/** The id of the key that {@link encrypt} uses now: the first eight bytes of its result. */
export function currentKeyId(): Buffer {
  return keyIdOf(requireSetting("APP_SECRET"));
}

/**
 * Where a ciphertext belongs: its column ("webhooks.secret"), its organization and its row. The column selects the key;
 * all three are the associated data of the encryption. A value that is copied to another column, row or organization
 * does not decrypt there.
 */
export type EncryptionContext = readonly [purpose: string, ...row: string[]];

/**
 * AES-256-GCM (NIST SP 800-38D) under the current secret, bound to its context. The result is key id, IV, tag and
 * ciphertext.
 */
export function encrypt(context: EncryptionContext, plaintext: string): Uint8Array<ArrayBuffer> {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv("aes-256-gcm", deriveKey(context[0]), iv);
  cipher.setAAD(associatedData(context));
  const ciphertext = Buffer.concat([cipher.update(plaintext, "utf8"), cipher.final()]);
  return new Uint8Array(Buffer.concat([currentKeyId(), iv, cipher.getAuthTag(), ciphertext]));
}

/** A value that cannot be decrypted. The message is for the operator of the service. */
export class DecryptionError extends Error {
  override readonly name = "DecryptionError";
}

/** The reverse of {@link encrypt}, with the configured secret that made the value. Throws {@link DecryptionError}. */
export function decrypt(context: EncryptionContext, value: Uint8Array): string {
  const bytes = Buffer.from(value);
  const keyId = sliceOf(bytes, 0, KEY_ID_BYTES);
  const secret = secrets().find((each) => keyIdOf(each).equals(keyId));
  if (secret === undefined) {
    throw new DecryptionError(
      `A value of ${context[0]} was encrypted under a secret that is not set (key ${keyId.toString("hex")}). Add ` +
        "that secret to APP_SECRET_PREVIOUS; see docs/security.md.",
    );
  }
  try {
    const decipher = createDecipheriv(
      "aes-256-gcm",
      derive(secret, context[0]),
      sliceOf(bytes, KEY_ID_BYTES, IV_BYTES),
      {
        authTagLength: TAG_BYTES,
      },
    );
    decipher.setAAD(associatedData(context));
    decipher.setAuthTag(sliceOf(bytes, KEY_ID_BYTES + IV_BYTES, TAG_BYTES));
    return Buffer.concat([
      decipher.update(bytes.subarray(KEY_ID_BYTES + IV_BYTES + TAG_BYTES)),
      decipher.final(),
    ]).toString("utf8");
  } catch (error) {
    throw new DecryptionError(`A value of ${context[0]} was changed, or belongs to another row or column.`, {
      cause: error,
    });
  }
}

function sliceOf(bytes: Buffer, from: number, length: number): Buffer {
  return bytes.subarray(from, from + length);
}

function associatedData(context: EncryptionContext): Buffer {
  return Buffer.from(JSON.stringify(context));
}
