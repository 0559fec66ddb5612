import { inngest } from "@/inngest/client";
import { endLeftBehind } from "@/lib/webhooks/app-access";
import { askForForgotten } from "@/lib/webhooks/ask-for-forgotten";

/**
 * Switches off what apps have left behind whose access has ended. Asks for deliveries whose drain was never asked for, or was begun by a process that died: three times a minute,
 * which no schedule can say.
 */
export const sweepWebhooks = inngest.createFunction(
  { id: "sweep-webhooks", triggers: [{ cron: "* * * * *" }], retries: 0, concurrency: 1 },
  async ({ step }) => {
    try {
      await step.run("end-left-behind", endLeftBehind);
    } finally {
      await step.run("sweep", askForForgotten);
      for (const time of ["second", "third"]) {
        await step.sleep(`until-${time}`, "20s");
        await step.run(`sweep-${time}`, askForForgotten);
      }
    }
  },
);
