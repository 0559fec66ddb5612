import { inngest, searchRequested } from "@/inngest/client";
import { keyOf, onFailureOf } from "@/inngest/functions/job-keys";
import { attemptSlice, SLICE_MS, workInSlices } from "@/inngest/functions/slices";
import { openMigrationSource } from "@/lib/migration/connections/open-source";
import { failPreview, workPreview } from "@/lib/migration/duplicates/preview-duplicates";

/** Searches for the duplicates that a run would merge. The database holds everything that a slice needs to know. */
export const searchDuplicates = inngest.createFunction(
  {
    id: "search-duplicates",
    triggers: searchRequested,
    retries: 5,
    concurrency: { key: "event.data.organization_id", limit: 1 },
    onFailure: onFailureOf(keyOf, failPreview),
  },
  async ({ event, step, runId, attempt, maxAttempts }) => {
    const key = keyOf(event.data);
    const fail = (error: unknown) => failPreview(key, error);
    const search = () => workPreview(key, openMigrationSource, SLICE_MS);
    const work = () => attemptSlice({ attempt, maxAttempts }, fail, search);
    if ((await workInSlices(step, key.organizationId, work)) === "ended") return;
    await step.sendEvent("hand-on", searchRequested.create(event.data, { id: `${runId}-handed-on` }));
  },
);
