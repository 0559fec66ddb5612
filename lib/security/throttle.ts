import { createHmac } from "node:crypto";

import ipaddr from "ipaddr.js";
import type { QueryResult } from "pg";

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

/** $2: how many attempts. Each statement deletes more expired windows than it adds. */
const COUNT_ATTEMPTS = `
  WITH cleared AS (
    DELETE FROM throttles WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM throttles WHERE window_end <= now() ORDER BY window_end LIMIT 50 FOR UPDATE SKIP LOCKED))
  )
  INSERT INTO throttles AS t (key, window_end, count)
  VALUES ($1, to_timestamp((floor(extract(epoch FROM now()) / $3::int) + 1) * $3::int), $2::int)
  ON CONFLICT (key, window_end) DO UPDATE SET count = t.count + $2::int
  RETURNING count, ceil(extract(epoch FROM window_end - now()))::int AS wait`;

/** $2: how many attempts. */
const TAKE_BACK = `
  UPDATE throttles SET count = greatest(count - $2::int, 0)
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
  const { windowSeconds } = throttle;
  const { counted, behind } = await sendTogether(COUNT_ATTEMPTS, keyOf(throttle, subject), windowSeconds);
  const { count = 1, wait = windowSeconds } = counted ?? {};
  return { count: count - behind, wait: Math.max(1, wait) };
}

/** Undoes the count of an attempt that succeeded: only failures count. */
export async function undoAttempt(throttle: Throttle, subject: string): Promise<void> {
  await sendTogether(TAKE_BACK, keyOf(throttle, subject));
}

interface Batch {
  attempts: number;
  answer?: Promise<Counted | undefined>;
}

/** Statement and key → the statement in flight, and the attempts that the next one counts. */
const inFlight = new Map<string, Promise<unknown>>();
const waiting = new Map<string, Batch>();

/**
 * Sends one statement for all who wait for the same, when the one before has been answered. All write one row, which
 * each locks until its commit: otherwise one client with many connections would take all that this process has to
 * PostgreSQL. Returns the answer, and how many attempts of the statement are behind this one.
 */
async function sendTogether(text: string, key: string, ...values: number[]) {
  const name = `${text} ${key}`;
  const batch: Batch = waiting.get(name) ?? { attempts: 0 };
  waiting.set(name, batch);
  const place = (batch.attempts += 1);
  batch.answer ??= sendNext(name, () => pool().query<Counted>(text, [key, batch.attempts, ...values]));
  return { counted: await batch.answer, behind: batch.attempts - place };
}

async function sendNext(name: string, send: () => Promise<QueryResult<Counted>>): Promise<Counted | undefined> {
  await Promise.allSettled([inFlight.get(name)]);
  waiting.delete(name);
  const sent = send();
  inFlight.set(name, sent);
  await Promise.allSettled([sent]);
  if (inFlight.get(name) === sent) inFlight.delete(name);
  return (await sent).rows[0];
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
