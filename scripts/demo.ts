import { Api } from "@/scripts/demo/api";
import { migrate } from "@/scripts/demo/migrate";
import { type DemoOptions, readOptions } from "@/scripts/demo/options";
import { ProgressBars } from "@/scripts/demo/progress-bars";
import { reconciliationJson, reconciliationTable } from "@/scripts/demo/reconciliation-table";
import { seedOrganization } from "@/scripts/demo/seed-organization";
import { Fault, runCommand } from "@/scripts/service/fault";
import { type Service, startService, untilAskedToStop } from "@/scripts/service/start-service";
import { startSandboxOrg } from "@/tests/sandbox-org/start";
import { obtainAccessToken } from "@/tests/support/obtain-access-token";

/** `npm run demo`: the service with a demo organization and a Salesforce-compatible org beside it, and that org migrated before your eyes. */
await runCommand(async () => {
  const options = readOptions(process.argv.slice(2));
  const asked = untilAskedToStop();
  console.error(`Starting a sandbox org of ${options.records.toLocaleString("en")} records …`);
  const org = await startSandboxOrg({ records: options.records });
  const stopOrg = async (): Promise<void> => org.stop();
  const service = await startService({ ALLOW_PRIVATE_NETWORK: "true" }).catch(async (error: unknown) => {
    await stopOrg();
    throw error;
  });
  try {
    const sandbox = { instance_url: org.instanceUrl, access_token: org.accessToken };
    const interrupted = asked.then(() => Promise.reject(new Fault("Stopped.")));
    const admin = await Promise.race([show(service, sandbox, options), interrupted]);
    if (!options.once) {
      console.log(
        `\n  Look around at ${service.baseUrl} as ${admin.email}, password ${admin.password} (also in ${service.dataDir}/demo.json). Stop with Ctrl-C.\n`,
      );
      await asked;
    }
  } finally {
    await Promise.all([service.stop(), stopOrg()]);
  }
});

async function show(
  service: Service,
  sandbox: { instance_url: string; access_token: string },
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
  const started = performance.now();
  const migration = await migrate(new Api(demo.base_url, token), sandbox, new ProgressBars(process.stderr));
  const seconds = (performance.now() - started) / 1000;
  console.log(`\n${reconciliationTable(migration.objects)}\n`);
  console.log(
    `${migration.state} after ${seconds.toFixed(1)} s. ${migration.failure ? `${migration.failure.detail} ${migration.failure.remedy}` : ""}`,
  );
  if (options.json) console.log(reconciliationJson(migration, seconds));
  if (migration.reconciled !== true) throw new Fault("The migration does not reconcile.");
  return demo.admin;
}
