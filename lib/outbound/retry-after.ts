/**
 * `Retry-After` in milliseconds from now: seconds or a date (RFC 9110 §10.2.3). 0 where it is absent or says neither.
 */
export function readRetryAfter(value: string | null, now: Date): number {
  if (value === null) return 0;
  if (/^\d+$/.test(value.trim())) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? 0 : Math.max(0, date - now.getTime());
}
