import { inngest } from "@/inngest/client";
import { purgeIdempotencyKeys } from "@/lib/database/housekeeping";
import { purgeFiles } from "@/lib/files/purge-files";
import { purgeConnectionAttempts } from "@/lib/migration/connections/sign-in";
import { sweepConnections } from "@/lib/migration/connections/supersede-connections";
import { reenqueueMigrations as sweep } from "@/lib/migration/enqueue-jobs";
import { startDueDeltas } from "@/lib/migration/start-delta";
import { wakeDueRuns } from "@/lib/migration/wake-runs";
import { purgeDeleted, purgeEvents } from "@/lib/records/purge";
import { reenqueueErasures } from "@/lib/settings/organization/enqueue-erasure";
import { disableOrphanedWebhooks } from "@/lib/webhooks/app-access";
import { purgeDeliveries } from "@/lib/webhooks/deliveries/purge-deliveries";
import { purgeSecrets } from "@/lib/webhooks/endpoints/rotate-secret";
import { enqueueOverdue } from "@/lib/webhooks/sending/enqueue-drain";

/** Enqueues the jobs of migrations that have none, because a process died between the commit and the enqueueing. */
export const sweepMigrations = inngest.createFunction(
  { id: "sweep-migrations", triggers: [{ cron: "*/5 * * * *" }], retries: 0, concurrency: 1 },
  ({ step }) => step.run("sweep", sweep),
);

/**
 * Enqueues the runs that wait for API requests of their Salesforce org when it is time to look again, and starts the
 * deltas that are due.
 */
export const wakeRuns = inngest.createFunction(
  { id: "wake-runs", triggers: [{ cron: "* * * * *" }], retries: 0, concurrency: 1 },
  ({ step }) => runEach(step, { wake: wakeDueRuns, deltas: startDueDeltas }),
);

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

/**
 * Switches off webhooks of apps whose access has ended, and enqueues drains for overdue deliveries: their drain was
 * never enqueued, or its process died. Three times a minute, which no cron schedule can express.
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

/** Runs the steps one after another, also after one has failed; throws the first failure at the end. */
export async function runEach(step: Step, steps: Record<string, () => Promise<unknown>>): Promise<void> {
  const failures: unknown[] = [];
  for (const [id, work] of Object.entries(steps))
    await step.run(id, work).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}
