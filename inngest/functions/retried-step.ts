import { type GetStepTools, RetryAfterError } from "inngest";

import type { inngest } from "@/inngest/client";
import { inOrganization } from "@/lib/database/organization-scope";
import { isTransient } from "@/lib/migration/failure";
import type { MigrationKey } from "@/lib/migration/status";
import { SalesforceError } from "@/lib/salesforce/errors";

/** Short: somebody waits for the result, and the Salesforce client has already retried for 15 seconds. */
const PAUSE_SECONDS = 3;

const MAX_PAUSE_SECONDS = 60;

type StepOutcome<Found> = { failed: true } | { failed: false; found: Found };

interface Call {
  step: GetStepTools<typeof inngest>;
  attempt: number;
  maxAttempts?: number | undefined;
}

/** What runs the steps of a job on a migration: within its organization, and each as a {@link retriedStep}. */
export function retriedSteps(
  key: MigrationKey,
  { step, attempt, maxAttempts = 1 }: Call,
  fail: (key: MigrationKey, error: unknown) => Promise<void>,
) {
  const isLastAttempt = attempt + 1 >= maxAttempts;
  return <Found>(id: string, work: () => Promise<Found>) =>
    step.run(id, () =>
      inOrganization(key.organizationId, () => retriedStep(isLastAttempt, (error) => fail(key, error), work)),
    );
}

/**
 * A transient fault is retried soon. Any other fault, and the last attempt, ends the work by `fail` with its reason.
 */
async function retriedStep<Found>(
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
