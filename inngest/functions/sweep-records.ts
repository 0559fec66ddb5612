import { inngest } from "@/inngest/client";
import { runEach } from "@/inngest/functions/run-each";
import { sweepConnections } from "@/lib/migration/supersede-connections";
import { purgeKeptAnswers } from "@/lib/purge-kept-answers";
import { purgeDeleted } from "@/lib/records/purge-deleted";
import { purgeEvents } from "@/lib/records/purge-events";
import { purgeDeliveries } from "@/lib/webhooks/purge-deliveries";
import { purgeSecrets } from "@/lib/webhooks/purge-secrets";

/** Forgets what is kept for a limited time: deleted records, what happened to records, what webhooks were sent and what signed it, access to Salesforce orgs that nothing needs, answers to requests that may be repeated. */
export const sweepRecords = inngest.createFunction(
  { id: "sweep-records", triggers: [{ cron: "17 * * * *" }], retries: 0, concurrency: 1 },
  ({ step }) =>
    runEach(step, {
      deleted: purgeDeleted,
      // Before their events, without which they could not be sent.
      deliveries: purgeDeliveries,
      events: purgeEvents,
      "kept answers": purgeKeptAnswers,
      secrets: purgeSecrets,
      connections: sweepConnections,
    }),
);
