/**
 * `Retry-After` (RFC 9110 §10.2.3: seconds or a date) in milliseconds from `now`, at least 0. Undefined where the
 * header is absent or neither. The result has no upper limit: each caller sets its own.
 */
export function parseRetryAfter(header: string | null, now = Date.now()): number | undefined {
  if (header === null) return undefined;
  if (/^\d+$/.test(header.trim())) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
