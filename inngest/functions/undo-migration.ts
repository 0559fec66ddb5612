import { inngest, undoRequested } from "@/inngest/client";
import { undoOf, onFailureOf } from "@/inngest/functions/job-keys";
import { attemptSlice, SLICE_MS, workInSlices } from "@/inngest/functions/slices";
import { inOrganization } from "@/lib/database/organization-scope";
import { handOnUndo } from "@/lib/migration/pipeline/take-turns";
import { failUndo, workUndo } from "@/lib/migration/undo/work-undo";

/** Undoes a migration, slice by slice. The database holds everything that a slice needs to know. */
export const undoMigration = inngest.createFunction(
  {
    id: "undo-migration",
    triggers: undoRequested,
    retries: 20,
    concurrency: { key: "event.data.organization_id", limit: 1 },
    onFailure: onFailureOf(undoOf, failUndo),
  },
  async ({ event, step, attempt, maxAttempts }) => {
    const undo = undoOf(event.data);
    const fail = (error: unknown) => failUndo(undo, error);
    const work = () => attemptSlice({ attempt, maxAttempts }, fail, () => workUndo(undo, SLICE_MS));
    if ((await workInSlices(step, undo.organizationId, work)) === "ended") return;
    const handOn = () => handOnUndo(undo, event.data.resumed_at ?? null);
    await step.run("hand-on", () => inOrganization(undo.organizationId, handOn));
  },
);
