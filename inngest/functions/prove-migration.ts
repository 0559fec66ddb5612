import { inngest, proveRequested } from "@/inngest/client";
import { keyOf, onFailureOf } from "@/inngest/functions/job-keys";
import { retriedSteps } from "@/inngest/functions/retried-step";
import { failProof, finishProof, listProvenObjects, prove } from "@/lib/migration/proof/proof-steps";

/** Compares a migration with its source, object by object. */
export const proveMigration = inngest.createFunction(
  {
    id: "prove-migration",
    triggers: proveRequested,
    retries: 3,
    concurrency: { key: "event.data.organization_id", limit: 1 },
    onFailure: onFailureOf(keyOf, failProof),
  },
  async ({ event, ...call }) => {
    const key = keyOf(event.data);
    const run = retriedSteps(key, call, failProof);
    const listed = await run("list", () => listProvenObjects(key));
    if (listed.ended) return;
    for (const object of listed.found) {
      if ((await run(`prove-${object}`, () => prove(key, object))).ended) return;
    }
    await run("finish", () => finishProof(key));
  },
);
