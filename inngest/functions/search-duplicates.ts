import { inngest, searchRequested } from "@/inngest/client";
import { keyOf } from "@/inngest/functions/job-keys";
import { retryLater, SLICE_MS, workInSlices } from "@/inngest/functions/slices";
import { inOrganization } from "@/lib/database/organization-scope";
import type { JobEvents } from "@/lib/jobs";
import { openMigrationSource } from "@/lib/migration/connections/open-source";
import { failPreview, workPreview } from "@/lib/migration/duplicates/preview-duplicates";
import type { MigrationKey } from "@/lib/migration/status";

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
    const outcome = await workInSlices(step, key.organizationId, () => searchSlice(key, attempt));
    if (outcome === "ended") return;
    await step.sendEvent("hand-on", searchRequested.create(event.data, { id: `${runId}-handed-on` }));
  },
);

/** Only faults that pass are thrown. They are retried after the time that the source asks for. */
async function searchSlice(key: MigrationKey, attempt: number) {
  try {
    return await workPreview(key, openMigrationSource, SLICE_MS);
  } catch (error) {
    throw retryLater(error, attempt);
  }
}
