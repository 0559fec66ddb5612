import { env } from "@/lib/env";

/** A fifth more or less, so that deliveries that failed together are not retried together. */
const JITTER = 0.2;

/** The longest `Retry-After` that counts. */
const MAX_RETRY_AFTER_MS = 24 * 3600 * 1000;

/**
 * The milliseconds until the retry after `tries` attempts of a round; null when the round is over. The receiver's
 * `Retry-After` (`retryAfterMs`) can make it later, by at most a day. `random` is from 0 to 1. Deliveries are due by
 * the database's clock: added to that of this process, a clock that is behind would use up all retries at once.
 */
export function retryDelay(tries: number, retryAfterMs = 0, random = Math.random()): number | null {
  const seconds = env.WEBHOOK_RETRY_SECONDS[tries - 1];
  if (seconds === undefined) return null;
  const delay = seconds * 1000 * (1 - JITTER + 2 * JITTER * random);
  return Math.round(Math.max(delay, Math.min(retryAfterMs, MAX_RETRY_AFTER_MS)));
}
