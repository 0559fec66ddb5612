import { inngest } from "@/inngest/client";
import { drainRequested, retryScheduled } from "@/inngest/events";
import { drain } from "@/lib/webhooks/drain";

/** Begins no more deliveries after this long, so that a run is never far from its next memoised step. */
const SLICE_MS = 30_000;
/** An Inngest run has room for 1,000 steps; a longer backlog is handed on to a run of its own. */
const SLICES = 200;

/** Sends what is due to one webhook: many deliveries a run, one run at a time for each webhook. */
export const drainWebhook = inngest.createFunction(
  { id: "drain-webhook", triggers: drainRequested, retries: 3, concurrency: { key: "event.data.webhook_id", limit: 1 } },
  async ({ event, step, runId }) => {
    const { organization_id: organizationId, webhook_id: webhookId } = event.data;
    for (let slice = 0; slice < SLICES; slice += 1) {
      const { more, nextDue } = await step.run(`slice-${slice}`, () => drain({ organizationId, webhookId }, SLICE_MS));
      if (more) continue;
      if (nextDue !== null) {
        const at = nextWholeSecond(nextDue);
        await step.sendEvent("retry", retryScheduled.create({ ...event.data, at }, { id: `${webhookId}:${at}` }));
      }
      return;
    }
    await step.sendEvent("hand-on", drainRequested.create(event.data, { id: `${runId}-handed-on` }));
  },
);

/** Deliveries that are due within a second wait for one another: one run wakes for all of them, since an event of the same id counts once. */
function nextWholeSecond(time: string): string {
  return new Date(Math.ceil(Date.parse(time) / 1000) * 1000).toISOString();
}
