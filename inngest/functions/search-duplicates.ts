import { RetryAfterError } from "inngest";

import { inngest, searchRequested } from "@/inngest/client";
import { keyOf } from "@/inngest/functions/job-keys";
import { inOrganization } from "@/lib/database/organization-scope";
import type { JobEvents } from "@/lib/jobs";
import { openMigrationSource } from "@/lib/migration/connections/open-source";
import { failPreview, workPreview } from "@/lib/migration/duplicates/preview-duplicates";
import { retryDelayAfter } from "@/lib/migration/pipeline/waiting";
import type { MigrationKey } from "@/lib/migration/status";
import { SalesforceError } from "@/lib/salesforce/errors";

/** Short enough to end while a stopping worker still waits for it. */
const SLICE_MS = 5000;

/** An Inngest run has at most 1,000 steps; a search that needs more goes on in another run. */
const MAX_SLICES = 900;

/** Searches for the duplicates that a run would merge. The database holds everything that a slice needs to know. */
export const searchDuplicates = inngest.createFunction(
  {
    id: "search-duplicates",
    triggers: searchRequested,
    retries: 5,
    concurrency: { key: "event.data.organization_id", limit: 1 },
    onFailure: ({ event, error }) => {
      const key = keyOf(event.data.event.data as JobEvents["migration/search.requested"]);
      return inOrganization(key.organizationId, () => failPreview(key, error));
    },
  },
  async ({ event, step, runId, attempt }) => {
    const key = keyOf(event.data);
    if ((await searchInSteps(step, key, attempt)) === "ended") return;
    await step.sendEvent("hand-on", searchRequested.create(event.data, { id: `${runId}-handed-on` }));
  },
);

interface Step {
  run(id: string, work: () => Promise<"more" | "ended">): Promise<"more" | "ended">;
}

/** Returns "more" if the search takes more steps than a run may have. */
export async function searchInSteps(step: Step, key: MigrationKey, attempt: number): Promise<"more" | "ended"> {
  for (let slice = 0; slice < MAX_SLICES; slice += 1) {
    const work = () => searchSlice(key, attempt);
    const outcome = await step.run(`slice-${slice}`, () => inOrganization(key.organizationId, work));
    if (outcome === "ended") return "ended";
  }
  return "more";
}

/** Only faults that pass are thrown. They are retried after the time that the source asks for. */
async function searchSlice(key: MigrationKey, attempt: number) {
  try {
    return await workPreview(key, openMigrationSource, SLICE_MS);
  } catch (error) {
    const retryAfter = error instanceof SalesforceError ? error.retryAfter : undefined;
    throw new RetryAfterError("The Salesforce org or the database was away.", retryDelayAfter(attempt, retryAfter), {
      cause: error,
    });
  }
}
