import { createHmac, timingSafeEqual } from "node:crypto";

/** What an Inngest server sends in `x-inngest-signature`: "t=1705586504&s=3f1c…". */
export interface InngestSignature {
  /** Seconds since 1970, as they were sent. */
  time: string;
  digest: Buffer;
}

const SIGNATURE = /^t=(\d{1,12})&s=([0-9a-f]{64})$/;

/** How far the server's clock and ours may be apart, and how long a request can be repeated. */
const MAX_CLOCK_SKEW_MS = 5 * 60_000;

/** Null where there is none, and where it is older than five minutes or that far ahead. */
export function readSignature(header: string | null, now = Date.now()): InngestSignature | null {
  const [, time = "", digest = ""] = SIGNATURE.exec(header ?? "") ?? [];
  return time !== "" && Math.abs(now - Number(time) * 1000) <= MAX_CLOCK_SKEW_MS
    ? { time, digest: Buffer.from(digest, "hex") }
    : null;
}

/**
 * Whether a body was signed by one of the keys: HMAC-SHA256 of its bytes and the time, under the key as text without
 * its prefix (Inngest's SDK_SPEC.md §4.1.3).
 */
export function isSignedBy(
  keys: readonly (string | undefined)[],
  { time, digest }: InngestSignature,
  body: Uint8Array,
): boolean {
  return keys.some((key) => {
    const secret = key?.replace(/^signkey-\w+-/, "");
    return (
      Boolean(secret) &&
      timingSafeEqual(createHmac("sha256", String(secret)).update(body).update(time).digest(), digest)
    );
  });
}
