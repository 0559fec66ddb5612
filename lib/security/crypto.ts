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

/** How secrets of 256 random bits are kept: nothing slower is needed, since they cannot be guessed. */
export function sha256(value: string): Buffer<ArrayBuffer> {
  return hash("sha256", value, "buffer");
}

/** Compares two digests in constant time. */
export function digestsEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.byteLength === b.byteLength && timingSafeEqual(a, b);
}

/**
 * A 256-bit key for one purpose, derived from the present APP_SECRET (HKDF, RFC 5869). What is made now is made with
 * it.
 */
export function deriveKey(purpose: string): Buffer {
  return derive(requireSetting("APP_SECRET"), purpose);
}

/**
 * The same from every secret that is set, the present one first: what was made before a rotation is still good while
 * the previous secret is there.
 */
export function deriveKeys(purpose: string): Buffer[] {
  return secrets().map((secret) => derive(secret, purpose));
}

/**
 * Authenticates `text` for one purpose under the present APP_SECRET: HMAC-SHA256 (RFC 2104), base64url.
 */
export function mac(purpose: string, text: string): string {
  return macUnder(deriveKey(purpose), text);
}

/** Whether `given` is the {@link mac} of `text` under any secret that is set. Compares in constant time. */
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

/**
 * What a ciphertext says of the secret that it was made with: enough to find it among those that are set, nothing about
 * it.
 */
function keyIdOf(secret: string): Buffer {
  return derive(secret, "key-id", KEY_ID_BYTES);
}

/** The id of the key that {@link encrypt} uses now: the first eight bytes of what it gives. */
export function currentKeyId(): Buffer {
  return keyIdOf(requireSetting("APP_SECRET"));
}

/**
 * Where a ciphertext belongs: for a value in the database its column ("webhooks.secret"), its organization, and its
 * row. It separates keys by the first and is the associated data of the encryption, so a value that was copied to
 * another column, row or organization does not decrypt there.
 */
export type EncryptionContext = readonly [purpose: string, ...row: string[]];

/**
 * AES-256-GCM (NIST SP 800-38D): key id, IV, tag and ciphertext in one value, under the present secret and bound to its
 * place.
 */
export function encrypt(place: EncryptionContext, plaintext: string): Uint8Array<ArrayBuffer> {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv("aes-256-gcm", deriveKey(place[0]), iv);
  cipher.setAAD(associatedData(place));
  const ciphertext = Buffer.concat([cipher.update(plaintext, "utf8"), cipher.final()]);
  return new Uint8Array(Buffer.concat([currentKeyId(), iv, cipher.getAuthTag(), ciphertext]));
}

/** A value that cannot be decrypted. The message is for whoever runs the service. */
export class DecryptionError extends Error {
  override readonly name = "Undecryptable";
}

/** The reverse of {@link encrypt}, by whichever secret that is set made it. Throws {@link DecryptionError}. */
export function decrypt(place: EncryptionContext, value: Uint8Array): string {
  const bytes = Buffer.from(value);
  const keyId = sliceOf(bytes, 0, KEY_ID_BYTES);
  const secret = secrets().find((each) => keyIdOf(each).equals(keyId));
  if (secret === undefined) {
    throw new DecryptionError(
      `A value of ${place[0]} was encrypted under a secret that is not set (key ${keyId.toString("hex")}). Add ` +
        "that secret to APP_SECRET_PREVIOUS; see docs/security.md.",
    );
  }
  try {
    const decipher = createDecipheriv("aes-256-gcm", derive(secret, place[0]), sliceOf(bytes, KEY_ID_BYTES, IV_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(associatedData(place));
    decipher.setAuthTag(sliceOf(bytes, KEY_ID_BYTES + IV_BYTES, TAG_BYTES));
    return Buffer.concat([
      decipher.update(bytes.subarray(KEY_ID_BYTES + IV_BYTES + TAG_BYTES)),
      decipher.final(),
    ]).toString("utf8");
  } catch (error) {
    throw new DecryptionError(`A value of ${place[0]} was changed, or belongs to another row or column.`, {
      cause: error,
    });
  }
}

function sliceOf(bytes: Buffer, from: number, length: number): Buffer {
  return bytes.subarray(from, from + length);
}

function associatedData(place: EncryptionContext): Buffer {
  return Buffer.from(JSON.stringify(place));
}
