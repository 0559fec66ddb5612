import { inngest } from "@/inngest/client";
import { drainRequested, retryScheduled } from "@/inngest/events";

/** Waits until a webhook has something due again. A function of its own, so that the wait holds up no other delivery to that webhook. */
export const retryWebhook = inngest.createFunction({ id: "retry-webhook", triggers: retryScheduled, retries: 3 }, async ({ event, step, runId }) => {
  const { at, ...key } = event.data;
  await step.sleepUntil("due", at);
  await step.sendEvent("drain", drainRequested.create(key, { id: `${runId}-drain` }));
});
