import { setTimeout as sleep } from "node:timers/promises";

import { parseRetryAfter } from "@/lib/outbound/retry-after";
import { SalesforceError } from "@/lib/salesforce/errors";

export interface RetryPolicy {
  /** How many times a request is repeated after its first failure. */
  retries: number;
  /** The first pause in milliseconds; it doubles each time. */
  backoffMs: number;
  /** Ends the pauses, too: the failure before is thrown. */
  deadline?: AbortSignal | undefined;
}

export const DEFAULT_RETRY: RetryPolicy = { retries: 5, backoffMs: 500 };

/** The caller handles longer pauses: a job can sleep without holding a connection. */
const MAX_PAUSE_MS = 30_000;

/**
 * Repeats `work` while it fails for a transient reason: after exponential backoff with jitter, or after the pause that
 * the source requests.
 */
export async function withRetry<T>(
  policy: RetryPolicy,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof SalesforceError) || !error.transient || attempt >= policy.retries) throw error;
      const { deadline } = policy;
      const pause = error.retryAfter === undefined ? backoff(policy, attempt) : error.retryAfter * 1000;
      if (pause > MAX_PAUSE_MS) throw error;
      const signals = [deadline, signal].filter((each) => each !== undefined);
      await sleep(pause, undefined, { signal: AbortSignal.any(signals) }).catch((aborted: unknown) => {
        throw deadline?.aborted ? error : aborted;
      });
    }
  }
}

/** Between half of the doubled pause and all of it, so that many clients do not retry at the same time. */
function backoff({ backoffMs }: RetryPolicy, attempt: number): number {
  return Math.min(MAX_PAUSE_MS, backoffMs * 2 ** attempt) * (0.5 + Math.random() / 2);
}

/** A Retry-After header in seconds; undefined if it has no finite time. */
export function retryAfterSeconds(header: string | null): number | undefined {
  const milliseconds = parseRetryAfter(header);
  return milliseconds === undefined || milliseconds === Infinity ? undefined : Math.ceil(milliseconds / 1000);
}
