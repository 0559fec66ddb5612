import { inngest } from "@/inngest/client";
import { purgeIdempotencyKeys } from "@/lib/database/housekeeping";
import { sweepConnections } from "@/lib/migration/connections/supersede-connections";
import { reenqueueMigrations as sweep } from "@/lib/migration/enqueue-jobs";
import { purgeDeleted, purgeEvents } from "@/lib/records/purge";
import { disableOrphanedWebhooks } from "@/lib/webhooks/app-access";
import { purgeDeliveries } from "@/lib/webhooks/deliveries/purge-deliveries";
import { purgeSecrets } from "@/lib/webhooks/endpoints/rotate-secret";
import { enqueueOverdue } from "@/lib/webhooks/sending/enqueue-drain";

/** Finds migrations whose job was never asked for, because a process died at the wrong moment. */
export const sweepMigrations = inngest.createFunction(
  { id: "sweep-migrations", triggers: [{ cron: "*/5 * * * *" }], retries: 0, concurrency: 1 },
  ({ step }) => step.run("sweep", sweep),
);

/**
 * Forgets what is kept for a limited time: deleted records, what happened to records, what webhooks were sent and what
 * signed it, access to Salesforce orgs that nothing needs, answers to requests that may be repeated.
 */
export const sweepRecords = inngest.createFunction(
  { id: "sweep-records", triggers: [{ cron: "17 * * * *" }], retries: 0, concurrency: 1 },
  ({ step }) =>
    runEach(step, {
      deleted: purgeDeleted,
      // Before their events, without which they could not be sent.
      deliveries: purgeDeliveries,
      events: purgeEvents,
      "kept answers": purgeIdempotencyKeys,
      secrets: purgeSecrets,
      connections: sweepConnections,
    }),
);

/**
 * Switches off what apps have left behind whose access has ended. Asks for deliveries whose drain was never asked for,
 * or was begun by a process that died: three times a minute, which no schedule can say.
 */
export const sweepWebhooks = inngest.createFunction(
  { id: "sweep-webhooks", triggers: [{ cron: "* * * * *" }], retries: 0, concurrency: 1 },
  async ({ step }) => {
    try {
      await step.run("end-left-behind", disableOrphanedWebhooks);
    } finally {
      await step.run("sweep", enqueueOverdue);
      for (const time of ["second", "third"]) {
        await step.sleep(`until-${time}`, "20s");
        await step.run(`sweep-${time}`, enqueueOverdue);
      }
    }
  },
);

interface Step {
  run(id: string, work: () => Promise<unknown>): Promise<unknown>;
}

/**
 * Runs every step by its id, one after another. What fails keeps none of those behind it; the first failure is thrown
 * at the end.
 */
export async function runEach(step: Step, steps: Record<string, () => Promise<unknown>>): Promise<void> {
  const failures: unknown[] = [];
  for (const [id, work] of Object.entries(steps))
    await step.run(id, work).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}
