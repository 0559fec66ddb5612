const UNITS: Record<string, number> = { w: 604_800_000, d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 };
const DURATION = /^(?:\d+[wdhms])+$/;

/** Milliseconds to wait, from what the SDK writes for `step.sleep` ("1h30m") or `step.sleepUntil` (an ISO date). Throws on anything else. */
export function waitOf(duration: string, now: number = Date.now()): number {
  if (duration === "") return 0;
  if (DURATION.test(duration)) {
    return [...duration.matchAll(/(\d+)([wdhms])/g)].reduce((sum, [, count, unit]) => sum + Number(count) * (UNITS[unit ?? ""] ?? 0), 0);
  }
  const until = Date.parse(duration);
  if (Number.isNaN(until)) throw new Error(`"${duration}" is neither a duration nor a date.`);
  return Math.max(0, until - now);
}
