import { inngest, undoRequested } from "@/inngest/client";
import { undoOf } from "@/inngest/functions/job-keys";
import { retryLater, SLICE_MS, workInSlices } from "@/inngest/functions/slices";
import { inOrganization } from "@/lib/database/organization-scope";
import type { JobEvents } from "@/lib/jobs";
import { handOnUndo } from "@/lib/migration/pipeline/take-turns";
import type { UndoKey } from "@/lib/migration/undo/undo-steps";
import { failUndo, workUndo } from "@/lib/migration/undo/work-undo";

/** Undoes a migration, slice by slice. The database holds everything that a slice needs to know. */
export const undoMigration = inngest.createFunction(
  {
    id: "undo-migration",
    triggers: undoRequested,
    retries: 20,
    concurrency: { key: "event.data.organization_id", limit: 1 },
    onFailure: async ({ event, error }) => {
      const undo = undoOf(event.data.event.data as JobEvents["migration/undo.requested"]);
      await inOrganization(undo.organizationId, () => failUndo(undo, error));
    },
  },
  async ({ event, step, attempt, maxAttempts = 1 }) => {
    const undo = undoOf(event.data);
    const work = () => workSlice(undo, attempt, attempt + 1 >= maxAttempts);
    if ((await workInSlices(step, undo.organizationId, work)) === "ended") return;
    const handOn = () => handOnUndo(undo, event.data.resumed_at ?? null);
    await step.run("hand-on", () => inOrganization(undo.organizationId, handOn));
  },
);

/** A transient fault is retried. The last attempt ends the undo with its reason. */
async function workSlice(undo: UndoKey, attempt: number, isLastAttempt: boolean) {
  try {
    return await workUndo(undo, SLICE_MS);
  } catch (error) {
    if (isLastAttempt) {
      await failUndo(undo, error);
      return "ended" as const;
    }
    throw retryLater(error, attempt);
  }
}
