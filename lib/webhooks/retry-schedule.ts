import { env } from "@/lib/env";

/** A fifth more or less, so that what failed together is not tried again together. */
const JITTER = 0.2;
/** What a receiver may ask for with `Retry-After`, at most. */
const MOST_PATIENCE_MS = 24 * 3600 * 1000;

/**
 * When to try again after `tries` attempts of a round, or null when the round is over. A receiver that asks for more patience (`retryAfterMs`) gets it,
 * up to a day. `random` is from 0 to 1.
 */
export function nextAttemptAt(tries: number, now: Date, retryAfterMs = 0, random = Math.random()): Date | null {
  const seconds = env.WEBHOOK_RETRY_SECONDS[tries - 1];
  if (seconds === undefined) return null;
  const delay = seconds * 1000 * (1 - JITTER + 2 * JITTER * random);
  return new Date(now.getTime() + Math.round(Math.max(delay, Math.min(retryAfterMs, MOST_PATIENCE_MS))));
}

/** `Retry-After` in milliseconds from now: seconds or a date (RFC 9110 §10.2.3). 0 where it is absent or says neither. */
export function readRetryAfter(value: string | null, now: Date): number {
  if (value === null) return 0;
  if (/^\d+$/.test(value.trim())) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? 0 : Math.max(0, date - now.getTime());
}
