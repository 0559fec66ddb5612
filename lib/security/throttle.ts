import { createHmac } from "node:crypto";

import ipaddr from "ipaddr.js";

import { formatCount } from "@/lib/amounts";
import { pool } from "@/lib/database/db";
import { AppError, type Fault } from "@/lib/errors";
import { deriveKey, sha256 } from "@/lib/security/crypto";

/** How many attempts one subject may make in a window of time. */
export interface Throttle {
  name: string;
  limit: number;
  windowSeconds: number;
  /**
   * The subject is chosen by strangers (an e-mail, a network). Such subjects share {@link BUCKETS} counts, so that
   * inventing more of them adds no rows.
   */
  isOpen?: true;
}

export interface Counted {
  count: number;
  /** Seconds until the window ends. */
  wait: number;
}

/** Each attempt deletes more expired windows than it adds. */
const COUNT_ATTEMPT = `
  WITH cleared AS (
    DELETE FROM throttles WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM throttles WHERE window_end <= now() ORDER BY window_end LIMIT 50 FOR UPDATE SKIP LOCKED))
  )
  INSERT INTO throttles AS t (key, window_end, count)
  VALUES ($1, to_timestamp((floor(extract(epoch FROM now()) / $2::int) + 1) * $2::int), 1)
  ON CONFLICT (key, window_end) DO UPDATE SET count = t.count + 1
  RETURNING count, ceil(extract(epoch FROM window_end - now()))::int AS wait`;

const TAKE_BACK = `
  UPDATE throttles SET count = count - 1
  WHERE key = $1 AND count > 0 AND window_end = (SELECT max(window_end) FROM throttles WHERE key = $1)`;

/**
 * Counts an attempt before it is made, so that concurrent attempts cannot all pass. Returns the seconds to wait when
 * there were too many, else 0. Subjects (an e-mail, an address) are stored as digests.
 */
export async function countAttempt(throttle: Throttle, subject: string): Promise<number> {
  const { count, wait } = await countInWindow(throttle, subject);
  return count > throttle.limit ? wait : 0;
}

/**
 * Counts an attempt. Throws `too_many_requests` when there were too many: `sentence`, and when to try again. `pointer`
 * leads to the field that is at fault, if one is.
 */
export async function assertAttemptAllowed(
  throttle: Throttle,
  subject: string,
  sentence: string,
  pointer?: string,
): Promise<void> {
  const wait = await countAttempt(throttle, subject);
  if (wait === 0) return;
  const detail = `${sentence} Try again ${formatWait(wait)}.`;
  const errors: Fault[] = pointer === undefined ? [] : [{ pointer, code: "invalid_value", detail }];
  throw new AppError("too_many_requests", detail, { errors, retryAfter: wait });
}

/** Counts an attempt. Returns the count of this window and the seconds until it ends. */
export async function countInWindow(throttle: Throttle, subject: string): Promise<Counted> {
  const { rows } = await pool().query<Counted>(COUNT_ATTEMPT, [keyOf(throttle, subject), throttle.windowSeconds]);
  const { count = 1, wait = throttle.windowSeconds } = rows[0] ?? {};
  return { count, wait: Math.max(1, wait) };
}

/** Undoes the count of an attempt that succeeded: only failures count. */
export async function undoAttempt(throttle: Throttle, subject: string): Promise<void> {
  await pool().query(TAKE_BACK, [keyOf(throttle, subject)]);
}

/** Deletes the counts of a subject. */
export async function clearAttempts(throttle: Throttle, subject: string): Promise<void> {
  await pool().query("DELETE FROM throttles WHERE key = $1", [keyOf(throttle, subject)]);
}

/**
 * How many counts an open throttle has in a window. A secret key assigns subjects to them, so two subjects share one
 * only by chance. Sign-in and the token endpoint cannot fill so many in a window.
 */
const BUCKETS = 2 ** 18;

function keyOf({ name, isOpen }: Throttle, subject: string): string {
  if (!isOpen) return `${name}:${sha256(subject).toString("hex")}`;
  const digest = createHmac("sha256", bucketKey()).update(`${name}:${subject}`).digest();
  return `${name}:${digest.readUInt32BE(0) % BUCKETS}`;
}

let derived: Buffer | undefined;

function bucketKey(): Buffer {
  return (derived ??= deriveKey("throttle-places"));
}

/** "in 40 seconds", "in 12 minutes": the end of a sentence that asks to wait. */
export function formatWait(seconds: number): string {
  return `in ${seconds < 60 ? formatCount(seconds, "second") : formatCount(Math.ceil(seconds / 60), "minute")}`;
}

/** Whoever has one IPv6 address usually has its whole /64. */
const IPV6_PREFIX_PARTS = 4;

/**
 * What limits count by for a network address: an IPv4 address, or the /64 of an IPv6 address. Anything else is returned
 * unchanged.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (!("parts" in parsed)) return parsed.toString();
  return `${parsed.parts
    .slice(0, IPV6_PREFIX_PARTS)
    .map((part) => part.toString(16))
    .join(":")}::/64`;
}
