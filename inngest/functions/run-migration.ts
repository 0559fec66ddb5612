import { inngest, runRequested } from "@/inngest/client";
import { runOf, onFailureOf } from "@/inngest/functions/job-keys";
import { attemptSlice, SLICE_MS } from "@/inngest/functions/slices";
import { inOrganization } from "@/lib/database/organization-scope";
import { openConnection } from "@/lib/migration/connections/open-source";
import type { RunKey } from "@/lib/migration/migration-schema";
import { doOthersWait, handOnRun } from "@/lib/migration/pipeline/take-turns";
import { failRunAfter, workSlice } from "@/lib/migration/pipeline/work-slice";

/**
 * The first slices of a call: a worker that is killed soon after its start has then finished one, and only a job that
 * finishes none fails in the end.
 */
const FIRST_SLICES_MS = [500, 1500];

/** After so many slices a run leaves its place to others that wait. */
const SLICES_PER_TURN = FIRST_SLICES_MS.length + 1;

/** Of at most 1,000 steps, one hands on, and each slice may be followed by one that waits. */
const MAX_SLICES = 499;

/**
 * Imports what a migration selected, slice by slice. The database holds everything that a slice needs to know. Between
 * slices a run leaves its place to others of the organization: it goes on in a new job, which both engines put behind
 * those that wait already. An Inngest server would prefer the steps of the older job.
 */
export const runMigration = inngest.createFunction(
  {
    id: "run-migration",
    triggers: runRequested,
    // The most that Inngest allows; the timeout of waiting.ts comes first.
    retries: 20,
    concurrency: { key: "event.data.organization_id", limit: 1 },
    onFailure: onFailureOf(runOf, (run, error) => failRunAfter(run, error, null)),
  },
  async ({ event, step, attempt, maxAttempts }) => {
    const run = runOf(event.data);
    const fail = (error: unknown) => failRunAfter(run, error, null);
    let worked = 0;
    for (let slice = 0; slice < MAX_SLICES; slice += 1) {
      const work = () => workInTurn(run, FIRST_SLICES_MS[worked++] ?? SLICE_MS, slice + 1 >= SLICES_PER_TURN);
      const tryWork = () => attemptSlice({ attempt, maxAttempts }, fail, work);
      const outcome = await step.run(`slice-${slice}`, () => inOrganization(run.organizationId, tryWork));
      if (outcome === "ended") return;
      // A sleeping run takes no place in a worker.
      if (typeof outcome === "object") await step.sleep(`wait-${slice}`, outcome.wait_ms);
      else if (outcome === "others wait") break;
    }
    const handOn = () => handOnRun(run, event.data.resumed_at ?? null);
    await step.run("hand-on", () => inOrganization(run.organizationId, handOn));
  },
);

/** The job retries by itself and shows it; the client retries only short faults. */
const CLIENT_OPTIONS = { retry: { retries: 2 } };

/** Works on a slice. When the turn is over, others that wait come next. */
async function workInTurn(run: RunKey, milliseconds: number, isTurnOver: boolean) {
  const outcome = await workSlice(
    run,
    (organizationId, connectionId) => openConnection(organizationId, connectionId, CLIENT_OPTIONS),
    milliseconds,
  );
  return outcome === "more" && isTurnOver && (await doOthersWait(run)) ? ("others wait" as const) : outcome;
}
