import type { Context } from "@/lib/context";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { countInMemory } from "@/lib/http/rate-limit-memory";
import { countInWindow, type Throttle } from "@/lib/throttle";

const WINDOW_SECONDS = 60;
/** A page of ours asks for many things at once, and a person does not loop. */
const PAGES_FACTOR = 5;

export interface Counting {
  /** For the answer, whatever it will be (draft-ietf-httpapi-ratelimit-headers-10). Empty without a limit. */
  headers: Record<string, string>;
  /** The refusal, when there were too many. */
  refusal: AppError | undefined;
}

/** Counts a request of a client, over all its tokens, or of a person in our own pages, in fixed windows of a minute. */
export async function countRequest({ clientId, userId }: Pick<Context, "clientId" | "userId">): Promise<Counting> {
  const perClient = env.RATE_LIMIT_PER_MINUTE;
  if (perClient === 0) return { headers: {}, refusal: undefined };
  const policy = clientId === null ? "pages" : "client";
  const limit = clientId === null ? perClient * PAGES_FACTOR : perClient;
  const throttle: Throttle = { name: `api:${policy}`, limit, windowSeconds: WINDOW_SECONDS };
  const { count, wait } = await (env.RATE_LIMIT_STORE === "postgres" ? countInWindow : countInMemory)(throttle, clientId ?? userId);
  const headers = {
    "ratelimit-policy": `"${policy}";q=${limit};w=${WINDOW_SECONDS}`,
    ratelimit: `"${policy}";r=${Math.max(0, limit - count)};t=${wait}`,
  };
  return { headers, refusal: count > limit ? tooMany(limit, wait) : undefined };
}

function tooMany(limit: number, retryAfter: number): AppError {
  const seconds = retryAfter === 1 ? "1 second" : `${retryAfter} seconds`;
  return new AppError("too_many_requests", `More than ${limit} requests in a minute. Try again in ${seconds}, or send many records in one batch.`, {
    retryAfter,
  });
}
