/** Milliseconds to wait after the given attempt (from 0) has failed. */
export type Backoff = (attempt: number) => number;

/** Inngest's: 15 s, 30 s, 1 m, 2 m, 5 m, 10 m, 20 m, 40 m, 1 h, 2 h, and up to half a minute more. */
const SECONDS = [15, 30, 60, 120, 300, 600, 1200, 2400, 3600, 7200];
const JITTER_MS = 30_000;

export const inngestBackoff: Backoff = (attempt) => {
  const seconds = SECONDS[Math.min(attempt, SECONDS.length - 1)] ?? 0;
  return seconds * 1000 + Math.random() * JITTER_MS;
};

/** The wait that a function asked for with RetryAfterError (RFC 9110 §10.2.3: seconds or a date), or the usual one. */
export function retryDelay(retryAfter: string | null, attempt: number, backoff: Backoff): number {
  if (retryAfter === null) return backoff(attempt);
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter) * 1000;
  const date = Date.parse(retryAfter);
  return Number.isNaN(date) ? backoff(attempt) : Math.max(0, date - Date.now());
}
