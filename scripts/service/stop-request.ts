import { once } from "node:events";

import { Stopped } from "@/scripts/service/fault";

/**
 * Aborted, with a Stopped as its reason, as soon as the person asks this process to stop (Ctrl-C), or a supervisor
 * does. Further signals change nothing: the stop is under way.
 */
export function stopRequest(): AbortSignal {
  const request = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => request.abort(new Stopped(signal)));
  return request.signal;
}

/** Resolves when the person asks to stop. */
export async function untilAsked(asked: AbortSignal): Promise<void> {
  if (!asked.aborted) await once(asked, "abort");
}

/**
 * The result of `work`, unless the person asks to stop before. What fails after that is a consequence of it, and not
 * worth a word.
 */
export async function unlessAsked<T>(asked: AbortSignal, work: Promise<T>): Promise<T> {
  const refusal = untilAsked(asked).then(() => Promise.reject(asked.reason as Error));
  return Promise.race([work, refusal]).catch((error: unknown) => {
    asked.throwIfAborted();
    throw error;
  });
}
