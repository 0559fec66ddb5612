import { createOrganization } from "@/scripts/service/create-organization";
import { runCommand } from "@/scripts/service/fault";

/** `npm run create-organization`. */
await runCommand(() => createOrganization(process.argv.slice(2)));
