import { inngest, proveRequested } from "@/inngest/client";
import { retriedStep } from "@/inngest/functions/retried-step";
import { inOrganization } from "@/lib/database/organization-scope";
import type { JobEvents } from "@/lib/jobs";
import { failProof, finishProof, listProvenObjects, prove } from "@/lib/migration/proof/proof-steps";
import type { MigrationKey } from "@/lib/migration/status";

/** Compares a migration with its source, object by object. */
export const proveMigration = inngest.createFunction(
  {
    id: "prove-migration",
    triggers: proveRequested,
    retries: 3,
    concurrency: { key: "event.data.organization_id", limit: 1 },
    onFailure: ({ event, error }) => {
      const key = keyOf(event.data.event.data as JobEvents["migration/prove.requested"]);
      return inOrganization(key.organizationId, () => failProof(key, error));
    },
  },
  async ({ event, step, attempt, maxAttempts = 1 }) => {
    const key = keyOf(event.data);
    const fail = (error: unknown) => failProof(key, error);
    const run = <Found>(id: string, work: () => Promise<Found>) =>
      step.run(id, () => inOrganization(key.organizationId, () => retriedStep(attempt + 1 >= maxAttempts, fail, work)));
    const listed = await run("list", () => listProvenObjects(key));
    if (listed.failed) return;
    for (const object of listed.found) {
      if ((await run(`prove-${object}`, () => prove(key, object))).failed) return;
    }
    await run("finish", () => finishProof(key));
  },
);

function keyOf(data: JobEvents["migration/prove.requested"]): MigrationKey {
  return { organizationId: data.organization_id, migrationId: data.migration_id };
}
