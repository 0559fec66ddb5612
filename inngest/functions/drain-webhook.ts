import { inngest, drainRequested, retryScheduled } from "@/inngest/client";
import { drain } from "@/lib/webhooks/sending/drain";

/**
 * Has everything sent that is due to one webhook. It waits for no endpoint: requests go on in this process when the run
 * is over.
 */
export const drainWebhook = inngest.createFunction(
  {
    id: "drain-webhook",
    triggers: drainRequested,
    retries: 3,
    concurrency: { key: "event.data.webhook_id", limit: 1 },
  },
  async ({ event, step }) => {
    const { organization_id: organizationId, webhook_id: webhookId } = event.data;
    await step.run("drain", () => drain({ organizationId, webhookId }));
  },
);

/**
 * Waits until a webhook has something due again. A function of its own, so that the wait holds up no other delivery to
 * that webhook.
 */
export const retryWebhook = inngest.createFunction(
  { id: "retry-webhook", triggers: retryScheduled, retries: 3 },
  async ({ event, step, runId }) => {
    const { at, ...key } = event.data;
    await step.sleepUntil("due", at);
    await step.sendEvent("drain", drainRequested.create(key, { id: `${runId}-drain` }));
  },
);
