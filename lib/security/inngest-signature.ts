import { createHmac, timingSafeEqual } from "node:crypto";

/** The header `x-inngest-signature` of an Inngest server: "t=1705586504&s=3f1c…". */
export interface InngestSignature {
  /** Seconds since 1970, as sent. */
  time: string;
  digest: Buffer;
}

const SIGNATURE = /^t=(\d{1,12})&s=([0-9a-f]{64})$/;

/** How far the server's clock and ours may differ, and how long a request can be replayed. */
const MAX_CLOCK_SKEW_MS = 5 * 60_000;

/** Null where the header is absent or malformed, or its time is more than five minutes away. */
export function readSignature(header: string | null, now = Date.now()): InngestSignature | null {
  const [, time = "", digest = ""] = SIGNATURE.exec(header ?? "") ?? [];
  return time !== "" && Math.abs(now - Number(time) * 1000) <= MAX_CLOCK_SKEW_MS
    ? { time, digest: Buffer.from(digest, "hex") }
    : null;
}

/**
 * Whether one of the keys signed a body: HMAC-SHA256 of its bytes and the time, under the key as text without its
 * prefix (Inngest's SDK_SPEC.md §4.1.3).
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
