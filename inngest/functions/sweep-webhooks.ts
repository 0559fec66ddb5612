import { inngest } from "@/inngest/client";
import { askForForgotten } from "@/lib/webhooks/ask-for-forgotten";

/** Asks for deliveries whose drain was never asked for, because a process died at the wrong moment. */
export const sweepWebhooks = inngest.createFunction(
  { id: "sweep-webhooks", triggers: [{ cron: "* * * * *" }], retries: 0, concurrency: 1 },
  ({ step }) => step.run("sweep", askForForgotten),
);
