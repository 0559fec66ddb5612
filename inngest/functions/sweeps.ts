import { inngest } from "@/inngest/client";
import { purgeIdempotencyKeys } from "@/lib/database/housekeeping";
import { purgeFiles } from "@/lib/files/purge-files";
import { purgeConnectionAttempts } from "@/lib/migration/connections/sign-in";
import { sweepConnections } from "@/lib/migration/connections/supersede-connections";
import { purgeDeleted, purgeEvents } from "@/lib/records/purge";
import { reenqueueErasures } from "@/lib/settings/organization/enqueue-erasure";
import { purgeDeliveries } from "@/lib/webhooks/deliveries/purge-deliveries";
import { purgeSecrets } from "@/lib/webhooks/endpoints/rotate-secret";

/**
 * Purges what is kept for a limited time: deleted records, events, deliveries, rotated webhook secrets, unused access
 * to Salesforce orgs, and idempotency keys. Asks again for the erasure of deleted organizations that are still there.
 */
export const sweepRecords = inngest.createFunction(
  { id: "sweep-records", triggers: [{ cron: "17 * * * *" }], retries: 0, concurrency: 1 },
  ({ step }) =>
    runEach(step, {
      deleted: purgeDeleted,
      files: purgeFiles,
      // Before the events, without which deliveries could not be sent.
      deliveries: purgeDeliveries,
      events: purgeEvents,
      "kept answers": purgeIdempotencyKeys,
      secrets: purgeSecrets,
      "sign-ins": purgeConnectionAttempts,
      connections: sweepConnections,
      "deleted organizations": reenqueueErasures,
    }),
);

interface Step {
  run(id: string, work: () => Promise<unknown>): Promise<unknown>;
}

/** Runs the steps one after another, also after one has failed; throws the first failure at the end. */
export async function runEach(step: Step, steps: Record<string, () => Promise<unknown>>): Promise<void> {
  const failures: unknown[] = [];
  for (const [id, work] of Object.entries(steps))
    await step.run(id, work).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}
