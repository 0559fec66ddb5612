import { readOptions, USAGE } from "@/scripts/demo/options";
import { assertReconciled, reconciliationJson } from "@/scripts/demo/reconciliation-table";
import { startDemo } from "@/scripts/demo/start-demo";
import { runCommand } from "@/scripts/service/fault";
import { stopRequest, untilStopped } from "@/scripts/service/stop-request";

/**
 * `npm run demo`: starts the service with a demo organization, and a Salesforce-compatible org beside it, and migrates
 * that org.
 */
await runCommand(async () => {
  const args = process.argv.slice(2);
  if (args.includes("--help") || args.includes("-h")) return console.log(USAGE);
  const { host, records, json, once, tell } = readOptions(args);
  const stopSignal = stopRequest();
  await using started = new AsyncDisposableStack();
  process.env.LISTEN_HOST = host;
  const demo = await startDemo(started, { command: "npm run demo", records, stopSignal, tell });
  if (json) console.log(reconciliationJson(demo.migration, demo.seconds));
  assertReconciled(demo.migration);
  if (once) return;
  tell(
    `\n  Open ${demo.baseUrl} and sign in as ${demo.admin.email} with the password ${demo.admin.password}\n` +
      `  (also in ${demo.dataDir}/demo.json). Press Ctrl-C to stop.\n`,
  );
  await untilStopped(stopSignal);
  console.error("Stopping …");
});
