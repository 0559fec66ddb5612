import { sha256 } from "@/lib/crypto";
import { pool } from "@/lib/db";

/** How many attempts one subject may make in a window of time. */
export interface Throttle {
  name: string;
  limit: number;
  windowSeconds: number;
}

export interface Counted {
  count: number;
  /** Seconds until the window ends. */
  wait: number;
}

/** Windows are kept for a day, so that nothing that still counts is ever cleared away. */
const COUNT_ATTEMPT = `
  WITH cleared AS (DELETE FROM throttles WHERE window_start < now() - interval '1 day')
  INSERT INTO throttles AS t (key, window_start, count)
  VALUES ($1, to_timestamp(floor(extract(epoch FROM now()) / $2::int) * $2::int), 1)
  ON CONFLICT (key, window_start) DO UPDATE SET count = t.count + 1
  RETURNING count, ceil(extract(epoch FROM window_start) + $2::int - extract(epoch FROM now()))::int AS wait`;

const TAKE_BACK = `
  UPDATE throttles SET count = count - 1
  WHERE key = $1 AND count > 0 AND window_start = (SELECT max(window_start) FROM throttles WHERE key = $1)`;

/**
 * Counts an attempt before it is made, so that attempts made at the same time cannot all slip through. Returns the seconds to wait when
 * there were too many, 0 when it may go ahead. Subjects (an e-mail, an address) are kept as digests.
 */
export async function countAttempt(throttle: Throttle, subject: string): Promise<number> {
  const { count, wait } = await countInWindow(throttle, subject);
  return count > throttle.limit ? wait : 0;
}

/** Counts, and gives how many there were in this window and the seconds until it ends. */
export async function countInWindow(throttle: Throttle, subject: string): Promise<Counted> {
  const { rows } = await pool().query<Counted>(COUNT_ATTEMPT, [keyOf(throttle, subject), throttle.windowSeconds]);
  const { count = 1, wait = throttle.windowSeconds } = rows[0] ?? {};
  return { count, wait: Math.max(1, wait) };
}

/** Takes back an attempt that turned out to be right: only failures count. */
export async function takeBackAttempt(throttle: Throttle, subject: string): Promise<void> {
  await pool().query(TAKE_BACK, [keyOf(throttle, subject)]);
}

/** Forgets every attempt of a subject. */
export async function forgetAttempts(throttle: Throttle, subject: string): Promise<void> {
  await pool().query("DELETE FROM throttles WHERE key = $1", [keyOf(throttle, subject)]);
}

function keyOf(throttle: Throttle, subject: string): string {
  return `${throttle.name}:${sha256(subject).toString("hex")}`;
}

/** "in 40 seconds", "in 12 minutes": the end of a sentence that asks for patience. */
export function waitInWords(seconds: number): string {
  if (seconds < 60) return `in ${seconds} ${seconds === 1 ? "second" : "seconds"}`;
  const minutes = Math.ceil(seconds / 60);
  return `in ${minutes} ${minutes === 1 ? "minute" : "minutes"}`;
}
