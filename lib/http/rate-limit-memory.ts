import type { Counted, Throttle } from "@/lib/throttle";

interface Window {
  number: number;
  counts: Map<string, number>;
}

// Next evaluates modules once per bundle; one process must still have one count.
const holder = globalThis as typeof globalThis & { crmRateLimits?: Map<number, Window> };

/** As `countInWindow` of `lib/throttle.ts`, in this process alone. All counts are forgotten when the next window begins, so memory stays small. `by`: how much is counted. */
export function countInMemory({ name, windowSeconds }: Throttle, subject: string, by = 1): Counted {
  const seconds = Date.now() / 1000;
  const number = Math.floor(seconds / windowSeconds);
  const windows = (holder.crmRateLimits ??= new Map());
  let window = windows.get(windowSeconds);
  if (window?.number !== number) windows.set(windowSeconds, (window = { number, counts: new Map() }));
  const key = `${name} ${subject}`;
  const count = (window.counts.get(key) ?? 0) + by;
  window.counts.set(key, count);
  return { count, wait: Math.max(1, Math.ceil((number + 1) * windowSeconds - seconds)) };
}
