import { Api } from "@/scripts/demo/api";
import { migrate } from "@/scripts/demo/migrate";
import { type DemoOptions, readOptions } from "@/scripts/demo/options";
import { ProgressBars } from "@/scripts/demo/progress-bars";
import { reconciliationJson, reconciliationTable } from "@/scripts/demo/reconciliation-table";
import { seedOrganization } from "@/scripts/demo/seed-organization";
import { Fault, runCommand } from "@/scripts/service/fault";
import { type Service, startService } from "@/scripts/service/start-service";
import { stopRequest, unlessStopped, untilStopped } from "@/scripts/service/stop-request";
import { startSandboxOrg } from "@/sandbox-org/start";
import { obtainAccessToken } from "@/scripts/demo/obtain-access-token";

/**
 * `npm run demo`: starts the service with a demo organization, and a Salesforce-compatible org beside it, and migrates
 * that org.
 */
await runCommand(async () => {
  const options = readOptions(process.argv.slice(2));
  const stopSignal = stopRequest();
  await using started = new AsyncDisposableStack();
  process.env.LISTEN_HOST = options.host;
  // People measure the demo, so it has no rate limit.
  const extra = { ALLOW_PRIVATE_NETWORK: "true", RATE_LIMIT_PER_MINUTE: process.env.RATE_LIMIT_PER_MINUTE || "0" };
  const service = await startService({ command: "npm run demo", stopSignal, extra });
  started.defer(() => service.stop());
  console.error(`Starting a sandbox org of ${options.records.toLocaleString("en")} records …`);
  const org = await unlessStopped(stopSignal, startSandboxOrg({ records: options.records }));
  started.defer(() => org.stop());
  const sandbox = { ext_instance_url: org.instanceUrl, ext_access_token: org.accessToken };
  const admin = await unlessStopped(stopSignal, seedAndMigrate(service, sandbox, options));
  if (options.once) return;
  console.log(
    `\n  Open ${service.baseUrl} and sign in as ${admin.email} with the password ${admin.password}\n` +
      `  (also in ${service.dataDir}/demo.json). Press Ctrl-C to stop.\n`,
  );
  await untilStopped(stopSignal);
  console.error("Stopping …");
});

async function seedAndMigrate(
  service: Service,
  sandbox: { ext_instance_url: string; ext_access_token: string },
  options: DemoOptions,
): Promise<{ email: string; password: string }> {
  const demo = await seedOrganization(service.dataDir, service.baseUrl, sandbox);
  const { access_token: token } = await obtainAccessToken({
    baseUrl: demo.base_url,
    ...demo.admin,
    client: demo.oauth_client,
    scope: "crm:read crm:write",
  });
  console.error("Migrating …");
  const startedAt = performance.now();
  const migration = await migrate(new Api(demo.base_url, token), sandbox, new ProgressBars(process.stderr));
  const seconds = (performance.now() - startedAt) / 1000;
  console.log(`\n${reconciliationTable(migration.objects)}\n`);
  console.log(
    `${migration.status} after ${seconds.toFixed(1)} s. ` +
      (migration.failure ? `${migration.failure.detail} ${migration.failure.remedy}` : ""),
  );
  if (options.json) console.log(reconciliationJson(migration, seconds));
  if (migration.reconciled !== true)
    throw new Fault("The migration does not reconcile: the table above shows the objects whose sums do not match.");
  return demo.admin;
}
