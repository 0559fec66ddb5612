import { once } from "node:events";

import { Stopped } from "@/scripts/service/fault";

/**
 * Aborted, with a Stopped as its reason, when the person (Ctrl-C) or a supervisor asks this process to stop. Later
 * signals are ignored.
 */
export function stopRequest(): AbortSignal {
  const request = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => request.abort(new Stopped(signal)));
  return request.signal;
}

/** Resolves when the person asks to stop. */
export async function untilStopped(stopSignal: AbortSignal): Promise<void> {
  if (!stopSignal.aborted) await once(stopSignal, "abort");
}

/** The result of `work`, unless the person asks to stop first. Errors after that are ignored: the stop causes them. */
export async function unlessStopped<T>(stopSignal: AbortSignal, work: Promise<T>): Promise<T> {
  const refusal = untilStopped(stopSignal).then(() => Promise.reject(stopSignal.reason as Error));
  return Promise.race([work, refusal]).catch((error: unknown) => {
    stopSignal.throwIfAborted();
    throw error;
  });
}
