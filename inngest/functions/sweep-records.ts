import { inngest } from "@/inngest/client";
import { purgeKeptAnswers } from "@/lib/purge-kept-answers";
import { purgeDeleted } from "@/lib/records/purge-deleted";
import { purgeEvents } from "@/lib/records/purge-events";
import { purgeDeliveries } from "@/lib/webhooks/purge-deliveries";
import { purgeSecrets } from "@/lib/webhooks/purge-secrets";

/** Forgets what is kept for a limited time: deleted records, what happened to records, what webhooks were sent and what signed it, answers to requests that may be repeated. */
export const sweepRecords = inngest.createFunction(
  { id: "sweep-records", triggers: [{ cron: "17 * * * *" }], retries: 0, concurrency: 1 },
  async ({ step }) => {
    await step.run("deleted", purgeDeleted);
    // Before their events, without which they could not be sent.
    await step.run("deliveries", purgeDeliveries);
    await step.run("events", purgeEvents);
    await step.run("kept answers", purgeKeptAnswers);
    await step.run("secrets", purgeSecrets);
  },
);
