import { join } from "node:path";

import { buildIfNeeded } from "@/scripts/service/build/build-if-needed";
import { runCommand } from "@/scripts/service/fault";
import { assertLightPages, weighPages, weightTable } from "@/scripts/service/build/page-weights";
import { ROOT } from "@/scripts/service/root";
import { stopRequest } from "@/scripts/service/stop-request";

/** `npm run build`: the web application, and how much JavaScript each page loads, which is bounded. */
await runCommand(async () => {
  await buildIfNeeded((line) => console.log(line), stopRequest());
  const weights = await weighPages(join(ROOT, ".next"));
  console.log(weightTable(weights));
  assertLightPages(weights);
});
