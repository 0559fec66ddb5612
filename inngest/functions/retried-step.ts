import type { GetStepTools } from "inngest";

import type { inngest } from "@/inngest/client";
import { type Attempt, isLastAttempt, retryLater } from "@/inngest/functions/slices";
import { inOrganization } from "@/lib/database/organization-scope";
import { isTransient } from "@/lib/migration/failure";
import type { MigrationKey } from "@/lib/migration/migration-schema";

/** Short: somebody waits for the result, and the Salesforce client has already retried for 15 seconds. */
const PAUSE_SECONDS = 3;

const MAX_PAUSE_SECONDS = 60;

/** `ended`: the work has failed, or another job for it has ended it. */
type StepOutcome<Found> = { ended: true } | { ended: false; found: Found };

interface Call extends Attempt {
  step: GetStepTools<typeof inngest>;
}

/**
 * What runs the steps of a job on a migration: within its organization, and each as a {@link retriedStep}. Where
 * several jobs may be asked for the same work, `isOpen` says whether none has ended it yet.
 */
export function retriedSteps(
  key: MigrationKey,
  { step, ...attempt }: Call,
  fail: (key: MigrationKey, error: unknown) => Promise<void>,
  isOpen?: (key: MigrationKey) => Promise<boolean>,
) {
  return <Found>(id: string, work: () => Promise<Found>) =>
    step.run(id, () =>
      inOrganization(key.organizationId, () =>
        retriedStep(
          attempt,
          (error) => fail(key, error),
          async (): Promise<StepOutcome<Found>> =>
            isOpen && !(await isOpen(key)) ? { ended: true } : { ended: false, found: await work() },
        ),
      ),
    );
}

/**
 * A transient fault is retried soon. Any other fault, and the last attempt, ends the work by `fail` with its reason.
 */
async function retriedStep<Found>(
  attempt: Attempt,
  fail: (error: unknown) => Promise<void>,
  work: () => Promise<StepOutcome<Found>>,
): Promise<StepOutcome<Found>> {
  try {
    return await work();
  } catch (error) {
    if (!isLastAttempt(attempt) && isTransient(error))
      throw retryLater(error, (requested = PAUSE_SECONDS) => Math.min(requested, MAX_PAUSE_SECONDS) * 1000);
    await fail(error);
    return { ended: true };
  }
}
