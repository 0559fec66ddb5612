import { readDemoFile } from "@/scripts/demo/demo-file";
import { startOwnDemo } from "@/scripts/demo/start-demo";
import { Fault, runCommand } from "@/scripts/service/fault";
import { runTool } from "@/scripts/service/program";
import { stopRequest } from "@/scripts/service/stop-request";
import { findOrInstallChromium } from "@/scripts/test/chromium";
import { dirname } from "node:path";

/** Records of the sandbox org: enough that lists, charts and sums look like those of a company. */
const RECORDS = 10_000;

/**
 * `npm run screenshots`: pictures of every page, in light and dark colors, 1440 and 390 pixels wide, in
 * `docs/screenshots`. It uses the running demo whose file E2E_DEMO_FILE names, or starts one.
 */
await runCommand(async () => {
  const stopSignal = stopRequest();
  await using started = new AsyncDisposableStack();
  const chromium = await findOrInstallChromium(stopSignal);
  const demoFile =
    process.env.E2E_DEMO_FILE ??
    (await startOwnDemo(started, { command: "npm run screenshots", records: RECORDS, stopSignal }));
  const demo = await readDemoFile(dirname(demoFile));
  if (!demo) throw new Fault(`E2E_DEMO_FILE names ${demoFile}, which does not exist.`);
  await runTool("playwright", ["test"], {
    env: {
      E2E_TAG: "@screenshot",
      E2E_DEMO_FILE: demoFile,
      E2E_BASE_URL: demo.base_url,
      CHROMIUM_PATH: chromium,
    },
    stopSignal,
  });
});
