import { RetryAfterError } from "inngest";

import { inOrganization } from "@/lib/database/organization-scope";
import { retryDelayAfter } from "@/lib/migration/pipeline/waiting";
import { SalesforceError } from "@/lib/salesforce/errors";

/** How long a slice works: short enough to end while a stopping worker still waits for it. */
export const SLICE_MS = 5000;

/** An Inngest run has at most 1,000 steps; work that needs more goes on in another run. */
export const MAX_SLICES = 900;

type Outcome = "more" | "ended";

interface Step {
  run(id: string, work: () => Promise<Outcome>): Promise<Outcome>;
}

/** Works slice by slice, each of them a step. Returns "more" if the work takes more steps than a run may have. */
export async function workInSlices(step: Step, organizationId: string, work: () => Promise<Outcome>): Promise<Outcome> {
  for (let slice = 0; slice < MAX_SLICES; slice += 1) {
    const outcome = await step.run(`slice-${slice}`, () => inOrganization(organizationId, work));
    if (outcome === "ended") return "ended";
  }
  return "more";
}

/** What a slice throws for a transient fault: it is retried, after the time that the source asks for. */
export function retryLater(error: unknown, attempt: number): RetryAfterError {
  const retryAfter = error instanceof SalesforceError ? error.retryAfter : undefined;
  const what = error instanceof SalesforceError ? "The Salesforce org" : "The database or the storage of files";
  return new RetryAfterError(`${what} was away.`, retryDelayAfter(attempt, retryAfter), { cause: error });
}
