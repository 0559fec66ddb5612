import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";

import { required } from "@/lib/env";

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** 256 random bits, base64url: access tokens, codes, client secrets. */
export function randomSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** How secrets of 256 random bits are kept: nothing slower is needed, since they cannot be guessed. */
export function sha256(value: string): Buffer {
  return hash("sha256", value, "buffer");
}

/** Compares two digests in constant time. */
export function sameDigest(a: Uint8Array, b: Uint8Array): boolean {
  return a.byteLength === b.byteLength && timingSafeEqual(a, b);
}

/** A 256-bit key for one purpose, derived from APP_SECRET (HKDF, RFC 5869). */
export function deriveKey(purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", required("APP_SECRET"), "", `crm:${purpose}`, 32));
}

/** AES-256-GCM: IV, tag and ciphertext in one value. `purpose` separates keys, so a value cannot be moved to another column and read there. */
export function encrypt(purpose: string, plaintext: string): Uint8Array<ArrayBuffer> {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv("aes-256-gcm", deriveKey(purpose), iv);
  const ciphertext = Buffer.concat([cipher.update(plaintext, "utf8"), cipher.final()]);
  return new Uint8Array(Buffer.concat([iv, cipher.getAuthTag(), ciphertext]));
}

/** The reverse of {@link encrypt}. Throws when the value was changed or APP_SECRET is not the one it was encrypted under. */
export function decrypt(purpose: string, value: Uint8Array): string {
  const bytes = Buffer.from(value);
  const decipher = createDecipheriv("aes-256-gcm", deriveKey(purpose), bytes.subarray(0, IV_BYTES));
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString("utf8");
}
