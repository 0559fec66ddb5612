import { log } from "@/lib/log";
import { organizationExists } from "@/lib/sessions/organization-exists";
import { setupCode } from "@/lib/sessions/setup-code";

/** Prints the setup code on the console, the one place that only whoever runs the service can read, as long as there is no organization. */
export async function announceSetup(): Promise<void> {
  try {
    if (await organizationExists()) return;
    console.error(`There is no organization yet. To create it from another machine than this one, the setup code is ${setupCode()}`);
  } catch (error) {
    log.error({ err: error }, "could not find out whether there is an organization");
  }
}
