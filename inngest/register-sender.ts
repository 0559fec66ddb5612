import { inngest } from "@/inngest/client";
import { registerJobSender } from "@/lib/jobs";

/** Lets capabilities of this process ask for jobs: `requestJob` of lib/jobs.ts sends through the Inngest client. */
export function registerSender(): void {
  registerJobSender(async (name, data, id) => {
    await inngest.send({ name, data, id });
  });
}
