import { nullWhenUnanswered } from "@/lib/salesforce/refusals";

/** A count without an index may take minutes, and a user waits for the report. */
export const COUNT_TIMEOUT_MS = 45_000;

/** The timeout of questions that take up to a hundred pages. */
export const PAGES_TIMEOUT_MS = 180_000;

/**
 * The answer to an optional question of the analysis; null if the source refuses it, fails at it, or exceeds the
 * timeout.
 */
export async function answerWithin<Answer>(
  ask: (signal: AbortSignal) => Promise<Answer>,
  timeoutMs: number = COUNT_TIMEOUT_MS,
): Promise<Answer | null> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    return await ask(signal);
  } catch (error) {
    return signal.aborted ? null : nullWhenUnanswered(error);
  }
}
