import type { Context } from "@/lib/context";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { countInWindow, type Counted, formatWait, type Throttle } from "@/lib/security/throttle";

const WINDOW_SECONDS = 60;

/** One of our own pages sends many requests at once, and a person does not send them in a loop. */
const PAGES_FACTOR = 5;

interface RateLimit {
  /** The headers of every response (draft-ietf-httpapi-ratelimit-headers-10). Empty without a limit. */
  headers: Record<string, string>;
  /** The refusal, if there were too many. */
  refusal: AppError | undefined;
}

/** Counts a request in fixed windows of a minute: per client over all its tokens, and per person in our own pages. */
export async function countRequest({ clientId, userId }: Pick<Context, "clientId" | "userId">): Promise<RateLimit> {
  const perClient = env.RATE_LIMIT_PER_MINUTE;
  if (perClient === 0) return { headers: {}, refusal: undefined };
  const policy = clientId === null ? "pages" : "client";
  const limit = clientId === null ? perClient * PAGES_FACTOR : perClient;
  const throttle: Throttle = { name: `api:${policy}`, limit, windowSeconds: WINDOW_SECONDS };
  const { count, wait } = await (env.RATE_LIMIT_STORE === "postgres" ? countInPostgres : countInMemory)(
    throttle,
    clientId ?? userId,
  );
  const headers = {
    "ratelimit-policy": `"${policy}";q=${limit};w=${WINDOW_SECONDS}`,
    ratelimit: `"${policy}";r=${Math.max(0, limit - count)};t=${wait}`,
  };
  return { headers, refusal: count > limit ? rateLimited(limit, wait) : undefined };
}

function rateLimited(limit: number, retryAfter: number): AppError {
  return new AppError(
    "too_many_requests",
    `More than ${limit} requests in a minute. Try again ${formatWait(retryAfter)}, or send many records in one batch.`,
    {
      retryAfter,
    },
  );
}

/** Throttle and subject → when the window ends in which this process has seen it over its limit, in milliseconds. */
const refusedUntil = new Map<string, number>();

/** Counts a request by `countInWindow`. Until the window ends, no statement is sent for what it has refused. */
async function countInPostgres(throttle: Throttle, subject: string): Promise<Counted> {
  const key = `${throttle.name} ${subject}`;
  const left = (refusedUntil.get(key) ?? 0) - performance.now();
  if (left > 0) return { count: throttle.limit + 1, wait: Math.ceil(left / 1000) };
  const counted = await countInWindow(throttle, subject);
  if (counted.count <= throttle.limit || refusedUntil.has(key)) return counted;
  const milliseconds = counted.wait * 1000;
  refusedUntil.set(key, performance.now() + milliseconds);
  setTimeout(() => refusedUntil.delete(key), milliseconds).unref();
  return counted;
}

interface CountWindow {
  number: number;
  counts: Map<string, number>;
}

// Next evaluates modules once per bundle; one process must still have one count.
const holder = globalThis as typeof globalThis & { crmRateLimits?: Map<number, CountWindow> };

/**
 * Like `countInWindow` of `lib/security/throttle.ts`, but in this process alone. All counts are discarded when the next
 * window begins, so memory stays small. `by`: how much to add.
 */
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
