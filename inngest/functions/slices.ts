import { RetryAfterError } from "inngest";

import { inOrganization } from "@/lib/database/organization-scope";
import { retryDelayAfter } from "@/lib/migration/pipeline/waiting";
import { SalesforceError } from "@/lib/salesforce/errors";

/** How long a slice works: short enough to end while a stopping worker still waits for it. */
export const SLICE_MS = 5000;

/** An Inngest run has at most 1,000 steps; work that needs more goes on in another run. */
export const MAX_SLICES = 900;

type Outcome = "more" | "ended";

/** What runs a memoised step: Inngest's, or a test's. */
export interface Step {
  run(id: string, work: () => Promise<unknown>): Promise<unknown>;
}

/** Works slice by slice, each of them a step. Returns "more" if the work takes more steps than a run may have. */
export async function workInSlices(step: Step, organizationId: string, work: () => Promise<Outcome>): Promise<Outcome> {
  for (let slice = 0; slice < MAX_SLICES; slice += 1) {
    const outcome = await step.run(`slice-${slice}`, () => inOrganization(organizationId, work));
    if (outcome === "ended") return "ended";
  }
  return "more";
}

/** Which attempt of a step this is, from 0, and how many it has. */
export interface Attempt {
  attempt: number;
  maxAttempts?: number | undefined;
}

export function isLastAttempt({ attempt, maxAttempts = 1 }: Attempt): boolean {
  return attempt + 1 >= maxAttempts;
}

/**
 * Does a slice of work that throws only transient faults. It is retried, after the time that the source asks for. The
 * last attempt ends the work by `fail` with its reason.
 */
export async function attemptSlice<Result>(
  call: Attempt,
  fail: (error: unknown) => Promise<void>,
  work: () => Promise<Result>,
): Promise<Result | "ended"> {
  try {
    return await work();
  } catch (error) {
    if (!isLastAttempt(call)) throw retryLater(error, (requested) => retryDelayAfter(call.attempt, requested));
    await fail(error);
    return "ended";
  }
}

/** What a step throws to be retried. `pauseMs` makes the pause of the seconds that the source asks for, if it does. */
export function retryLater(error: unknown, pauseMs: (requestedSeconds?: number) => number): RetryAfterError {
  const isSource = error instanceof SalesforceError;
  const what = isSource ? "The Salesforce org" : "The database or the storage of files";
  return new RetryAfterError(`${what} was away.`, pauseMs(isSource ? error.retryAfter : undefined), { cause: error });
}
