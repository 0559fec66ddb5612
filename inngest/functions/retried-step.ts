import { RetryAfterError } from "inngest";

import { isTransient } from "@/lib/migration/failure";
import { SalesforceError } from "@/lib/salesforce/errors";

/** Short: somebody waits for the result, and the Salesforce client has already retried for 15 seconds. */
const PAUSE_SECONDS = 3;

const MAX_PAUSE_SECONDS = 60;

export type StepOutcome<Found> = { failed: true } | { failed: false; found: Found };

/**
 * A transient fault is retried soon. Any other fault, and the last attempt, ends the work by `fail` with its reason.
 */
export async function retriedStep<Found>(
  isLastAttempt: boolean,
  fail: (error: unknown) => Promise<void>,
  work: () => Promise<Found>,
): Promise<StepOutcome<Found>> {
  try {
    return { failed: false, found: await work() };
  } catch (error) {
    if (isLastAttempt || !isTransient(error)) {
      await fail(error);
      return { failed: true };
    }
    const requested = error instanceof SalesforceError ? (error.retryAfter ?? PAUSE_SECONDS) : PAUSE_SECONDS;
    throw new RetryAfterError(
      "The Salesforce org or the database was away.",
      Math.min(requested, MAX_PAUSE_SECONDS) * 1000,
      { cause: error },
    );
  }
}
