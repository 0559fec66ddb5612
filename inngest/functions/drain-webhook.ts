import { inngest } from "@/inngest/client";
import { drainRequested } from "@/inngest/events";
import { drain } from "@/lib/webhooks/drain";

/** Has everything sent that is due to one webhook. It waits for no endpoint: requests go on in this process when the run is over. */
export const drainWebhook = inngest.createFunction(
  { id: "drain-webhook", triggers: drainRequested, retries: 3, concurrency: { key: "event.data.webhook_id", limit: 1 } },
  async ({ event, step }) => {
    const { organization_id: organizationId, webhook_id: webhookId } = event.data;
    await step.run("drain", () => drain({ organizationId, webhookId }));
  },
);
