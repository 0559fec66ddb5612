import { mkdir, rm } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { parseArgs } from "node:util";

import type { DemoFile } from "@/scripts/demo/demo-file";
import { seedOrganization } from "@/scripts/demo/seed-organization";
import { Fault, runCommand } from "@/scripts/service/fault";
import { freePort } from "@/scripts/service/free-port";
import { assertLightPages, weighPages } from "@/scripts/service/build/page-weights";
import { type Service, startService } from "@/scripts/service/supervisor/start-service";
import { stopRequest, unlessStopped } from "@/scripts/service/stop-request";
import { runProgram, runTool } from "@/scripts/service/program";
import { findOrInstallChromium } from "@/scripts/test/chromium";
import { add, type Tally, tallyPlaywright, tallyVitest } from "@/scripts/test/tally";
import { startSandboxOrg } from "@/sandbox-org/start";
import { settingsOf, startOidcProvider } from "@/tests/support/oidc-provider";
import { createClusterFolder } from "@/tests/support/temporary-cluster";

/** Records of the sandbox org that the service and browser tests migrate. */
const ORG_RECORDS = 10_000;

const stopSignal = stopRequest();

/**
 * `npm test`: static checks, unit and database tests, then the built service over HTTP and in a browser. With
 * `--exhaustive` also the pages and refusals for which others stand (decisions 0076 and 0080).
 */
await runCommand(async () => {
  const { values: options } = parseArgs({ options: { exhaustive: { type: "boolean", default: false } } });
  if (options.exhaustive) process.env.EXHAUSTIVE = "true";
  await runProgram(process.execPath, ["--import", "tsx", "scripts/verify.ts"], { name: "npm run verify", stopSignal });
  const folder = await createClusterFolder("crm-test-", "data/postgres");
  try {
    const inngest = takeInngestSettings();
    const projects = ["unit", "database", "processes", ...(inngest.INNGEST_BASE_URL ? ["inngest-server"] : [])];
    const tally = await runBoth([vitest(folder, projects, inngest), testService(folder)]);
    for (const { test, message } of tally.flaky)
      console.log(`\nFailed first, passed when tried again: ${test}\n${message}`);
    // Printed again at the end: the first failure may be thousands of lines above.
    for (const { test, message } of tally.failures) console.log(`\nFailed: ${test}\n${message}`);
    console.log(`\n${tally.passed} passed, ${tally.failed} failed, ${tally.skipped} skipped`);
    if (tally.failed > 0) throw new Fault("Some tests failed. They are listed above.");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

/** The settings of an Inngest server, for the suites of job engines. The tested service runs its jobs by itself. */
function takeInngestSettings(): Record<string, string> {
  const own = Object.entries(process.env).filter(([name]) => name.startsWith("INNGEST_"));
  for (const [name] of own) delete process.env[name];
  return Object.fromEntries(own.map(([name, value]) => [name, value ?? ""]));
}

/**
 * Runs both at the same time, which keeps two cores busy: one run waits for the build and the web process, the other
 * for workers that it kills. If one fails, the other still runs to its end.
 */
async function runBoth(runs: readonly [Promise<Tally>, Promise<Tally>]): Promise<Tally> {
  await Promise.allSettled(runs);
  const [withoutService, withService] = await Promise.all(runs);
  return add(withoutService, withService);
}

async function vitest(folder: string, projects: readonly string[], env: Record<string, string> = {}): Promise<Tally> {
  const report = join(folder, `${projects.join("-")}.json`);
  const args = [
    "run",
    ...projects.flatMap((project) => ["--project", project]),
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${report}`,
    // A test that fails only on a loaded machine is reported at the end and does not fail the run.
    "--retry=1",
  ];
  const fault = await runTool("vitest", args, { env: { NODE_ENV: "test", ...env }, stopSignal }).catch(
    (error: unknown) => error,
  );
  stopSignal.throwIfAborted();
  const tally = await tallyVitest(report).catch(() => undefined);
  if (!tally || (fault && tally.failed === 0)) throw fault;
  return tally;
}

async function playwright(folder: string, env: Record<string, string>): Promise<Tally> {
  const report = join(folder, "playwright.json");
  const args = ["test", "--reporter=list,json", "--retries=1"];
  const fault = await runTool("playwright", args, {
    env: { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
    stopSignal,
  }).catch((error: unknown) => error);
  stopSignal.throwIfAborted();
  const tally = await tallyPlaywright(report).catch(() => undefined);
  if (!tally || (fault && tally.failed === 0)) throw fault;
  return tally;
}

/** Builds and starts the service with separate data and a sandbox org, and runs the tests that need them. */
async function testService(folder: string): Promise<Tally> {
  const chromium = await findOrInstallChromium(stopSignal);
  const dataDir = join(folder, "data");
  await mkdir(dataDir);
  const port = String(await freePort());
  Object.assign(process.env, { PORT: port, DATA_DIR: dataDir, APP_URL: "" });
  await using started = new AsyncDisposableStack();
  const redirectUri = `http://localhost:${port}/api/auth/callback/oidc`;
  const provider = await startOidcProvider({
    redirectUri,
    claimsOf: (account) => ({ email: account, email_verified: true }),
  });
  started.defer(() => provider.stop());
  const extra = {
    ...settingsOf(provider),
    // So that nothing may rely on what one process knows. Elsewhere processes cannot share a port.
    WEB_PROCESSES: process.platform === "linux" ? "2" : "1",
    WORKER_PROCESSES: "2",
    ALLOW_PRIVATE_NETWORK: "true",
    LOG_LEVEL: "warn",
    RATE_LIMIT_PER_MINUTE: "0",
  };
  const service = await startService({ command: "npm test", stopSignal, extra });
  started.defer(() => service.stop());
  assertLightPages(await weighPages(join(import.meta.dirname, "../.next")));
  const org = await unlessStopped(stopSignal, startSandboxOrg({ records: ORG_RECORDS }));
  started.defer(() => org.stop());
  const sandbox = { ext_instance_url: org.instanceUrl, ext_access_token: org.accessToken };
  const seed = (name: string): Promise<string> => seedFile(folder, name, service, sandbox);
  const [http, specification, ...browsers] = await Promise.all([
    seed("http"),
    seed("specification"),
    seed("browser"),
    seed("other-browser"),
  ]);
  // The database's owner, for tests that read the database. The tested service has another user.
  const owner = { DATABASE_OWNER_URL: service.databaseOwnerUrl };
  const overHttp = await vitest(folder, ["service"], { SERVICE_FILE: http, ...owner });
  const bySpecification = await vitest(folder, ["specification"], { SERVICE_FILE: specification });
  const inBrowser = await playwright(folder, {
    E2E_BASE_URL: service.baseUrl,
    E2E_DEMO_FILE: browsers.join(delimiter),
    CHROMIUM_PATH: chromium,
    ...owner,
  });
  return add(add(overHttp, bySpecification), inBrowser);
}

/**
 * Seeds a separate organization for one kind of tests, so that they do not see each other's migrations and changes.
 * Returns the path of its demo file.
 */
async function seedFile(
  folder: string,
  name: string,
  service: Service,
  sandbox: NonNullable<DemoFile["sandbox_org"]>,
): Promise<string> {
  const own = join(folder, name);
  await mkdir(own);
  await seedOrganization(own, service.baseUrl, sandbox);
  return join(own, "demo.json");
}
