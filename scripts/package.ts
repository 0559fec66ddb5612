import { buildPackage } from "@/scripts/service/build/build-package";
import { runCommand } from "@/scripts/service/fault";
import { stopRequest } from "@/scripts/service/stop-request";

/** `npm run package`: what a deployment needs, in `out`. */
await runCommand(() => buildPackage(stopRequest()));
