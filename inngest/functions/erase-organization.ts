import { eraseRequested, inngest } from "@/inngest/client";
import { type Attempt, isLastAttempt, MAX_SLICES, SLICE_MS, type Step } from "@/inngest/functions/slices";
import { inOrganization } from "@/lib/database/organization-scope";
import { eraseContents, eraseFiles } from "@/lib/files/purge-files";
import { eraseConnections } from "@/lib/migration/connections/erase-connections";
import { assertErasable, eraseOrganization, eraseRows } from "@/lib/settings/organization/erase-organization";

/** Tables whose rows say what is to be erased elsewhere: access to Salesforce orgs, and contents of files. */
const NAMING_OTHERS = ["connections", "files"];

/** Longer than a statement, a page of a run and a request take. What they had begun is stored by then. */
const SETTLED_AFTER = "2m";

/** Erases a deleted organization. */
export const eraseDeletedOrganization = inngest.createFunction(
  {
    id: "erase-organization",
    triggers: eraseRequested,
    retries: 20,
    concurrency: { key: "event.data.organization_id", limit: 1 },
  },
  async ({ event, step, runId, attempt, maxAttempts }) => {
    const outcome = await eraseInSteps(step, event.data.organization_id, { attempt, maxAttempts });
    if (outcome === "more")
      await step.sendEvent("hand-on", eraseRequested.create(event.data, { id: `${runId}-handed-on` }));
  },
);

interface SleepingStep extends Step {
  sleep(id: string, time: string): Promise<void>;
}

/**
 * Erases the organization's rows, the access to its Salesforce orgs, the contents of its files, and at the end itself.
 * Every step can be repeated, and refuses an organization that is not deleted: a restored backup may have brought it
 * back. An org or a storage that is away keeps only the rows that name what is left there. What requests and jobs of
 * its last moments still stored is erased by the second round. Returns "more" if that takes more steps than a run may
 * have.
 */
export async function eraseInSteps(
  step: SleepingStep,
  organizationId: string,
  call: Attempt = { attempt: 0 },
): Promise<"done" | "more"> {
  const run = (id: string, work: () => Promise<unknown>) =>
    step.run(id, () =>
      inOrganization(organizationId, async () => {
        await assertErasable(organizationId);
        return work();
      }),
    );
  let slices = 0;
  /** Whether the work is done after so many slices as the run may still have. */
  const runInSlices = async (id: string, work: () => Promise<boolean>) => {
    for (let slice = 0; slices < MAX_SLICES; slice += 1) {
      slices += 1;
      if ((await run(`${id}-${slice}`, work)) === true) return true;
    }
    return false;
  };
  for (const round of ["first", "second"]) {
    if (!(await runInSlices(`${round}-rows`, () => eraseRows(organizationId, SLICE_MS, NAMING_OTHERS)))) return "more";
    await run(`${round}-connections`, () => eraseConnections(organizationId, isLastAttempt(call)));
    if (!(await runInSlices(`${round}-files`, () => eraseFiles(organizationId, SLICE_MS)))) return "more";
    if (round === "first") await step.sleep("settle", SETTLED_AFTER);
  }
  if (!(await runInSlices("last-rows", () => eraseRows(organizationId, SLICE_MS)))) return "more";
  if (!(await runInSlices("contents", () => eraseContents(organizationId, SLICE_MS)))) return "more";
  await run("end", () => eraseOrganization(organizationId));
  return "done";
}
