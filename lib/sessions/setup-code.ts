import { deriveKey, sameDigest, sha256 } from "@/lib/crypto";

/** Crockford's base 32: no letter that is easily taken for a digit or for another letter. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const LENGTH = 12;
const GROUP = 4;

/**
 * The code that creates the organization: 60 bits in three groups, "7F3K-9QWM-X2TD". It is derived from APP_SECRET, so
 * there is nothing to keep, and every process of a service knows the same one.
 */
export function setupCode(): string {
  const letters = [...deriveKey("setup-code").subarray(0, LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]);
  return Array.from({ length: LENGTH / GROUP }, (_, group) => letters.slice(group * GROUP, (group + 1) * GROUP).join("")).join("-");
}

/** Whether `given` is the setup code, however it is grouped and whichever case it is in. Compared in constant time. */
export function isSetupCode(given: string): boolean {
  const read = given
    .toUpperCase()
    .replaceAll("O", "0")
    .replaceAll(/[IL]/g, "1")
    .replaceAll(/[^0-9A-Z]/g, "");
  return sameDigest(sha256(read), sha256(setupCode().replaceAll("-", "")));
}
