import { inngest, drainRequested, retryScheduled } from "@/inngest/client";
import { drain } from "@/lib/webhooks/sending/drain";

/** Starts the due deliveries of one webhook. It waits for no endpoint: requests go on in this process after the run. */
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

/** Waits until a delivery of a webhook is due again; a separate function, so that drains need not wait with it. */
export const retryWebhook = inngest.createFunction(
  { id: "retry-webhook", triggers: retryScheduled, retries: 3 },
  async ({ event, step, runId }) => {
    const { at, ...key } = event.data;
    await step.sleepUntil("due", at);
    await step.sendEvent("drain", drainRequested.create(key, { id: `${runId}-drain` }));
  },
);
