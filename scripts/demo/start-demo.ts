import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { startSandboxOrg } from "@/sandbox-org/start";
import { Api } from "@/scripts/demo/api";
import { migrate } from "@/scripts/demo/migrate";
import { obtainAccessToken } from "@/scripts/demo/obtain-access-token";
import { ProgressBars } from "@/scripts/demo/progress-bars";
import { assertReconciled, reconciliationTable } from "@/scripts/demo/reconciliation-table";
import { seedOrganization } from "@/scripts/demo/seed-organization";
import type { Migration } from "@/lib/migration/migration-schema";
import { Fault } from "@/scripts/service/fault";
import { freePort } from "@/scripts/service/free-port";
import { startService } from "@/scripts/service/supervisor/start-service";
import { unlessStopped } from "@/scripts/service/stop-request";

const REACH_TIMEOUT_MS = 10_000;

interface DemoRequest {
  /** The command that starts it, for messages. */
  command: string;
  /** Records of the sandbox org. */
  records: number;
  stopSignal: AbortSignal;
  /** Prints the reconciliation; on standard output unless it is given. */
  tell?: (text: string) => void;
}

interface Demo {
  baseUrl: string;
  /** The folder of the demo's file, among others. */
  dataDir: string;
  admin: { email: string; password: string };
  migration: Migration;
  seconds: number;
}

/**
 * Starts the service and a sandbox org, and migrates the org to a demo organization. Both stop with `started`. The
 * migration has ended, whatever its status.
 */
export async function startDemo(started: AsyncDisposableStack, request: DemoRequest): Promise<Demo> {
  const { command, records, stopSignal, tell = console.log } = request;
  // People measure the demo, so it has no rate limit.
  const extra = { ALLOW_PRIVATE_NETWORK: "true", RATE_LIMIT_PER_MINUTE: process.env.RATE_LIMIT_PER_MINUTE || "0" };
  const { baseUrl, dataDir, ...service } = await startService({ command, stopSignal, extra });
  started.defer(() => service.stop());
  await assertReachable(baseUrl, stopSignal);
  console.error(`Starting a sandbox org of ${records.toLocaleString("en")} records …`);
  // Whoever disconnects the org can connect it again, with the token of the demo's file.
  const org = await unlessStopped(stopSignal, startSandboxOrg({ records, keepAccessToken: true }));
  started.defer(() => org.stop());
  const sandbox = { ext_instance_url: org.instanceUrl, ext_access_token: org.accessToken };
  return unlessStopped(stopSignal, seedAndMigrate({ baseUrl, dataDir }, sandbox, tell));
}

/** The demo uses the service as its clients do, at APP_URL. Throws Fault if that leads nowhere. */
export async function assertReachable(baseUrl: string, stopSignal: AbortSignal): Promise<void> {
  const signal = AbortSignal.any([stopSignal, AbortSignal.timeout(REACH_TIMEOUT_MS)]);
  const answer = await fetch(new URL("/api/health/live", baseUrl), { signal }).catch(() => undefined);
  if (answer?.ok) return;
  stopSignal.throwIfAborted();
  throw new Fault(
    `The service runs, but this machine does not reach it at ${baseUrl}, its public address. Set APP_URL to the ` +
      "address and port at which it does.",
  );
}

async function seedAndMigrate(
  service: { baseUrl: string; dataDir: string },
  sandbox: { ext_instance_url: string; ext_access_token: string },
  tell: (text: string) => void,
): Promise<Demo> {
  const {
    base_url: baseUrl,
    admin,
    oauth_client: client,
  } = await seedOrganization(service.dataDir, service.baseUrl, sandbox);
  const { access_token: token } = await obtainAccessToken({ baseUrl, ...admin, client, scope: "crm:read crm:write" });
  console.error("Migrating …");
  const startedAt = performance.now();
  const migration = await migrate(new Api(baseUrl, token), sandbox, new ProgressBars(process.stderr));
  const seconds = (performance.now() - startedAt) / 1000;
  tell(`\n${reconciliationTable(migration.objects)}\n`);
  tell(
    `${migration.status} after ${seconds.toFixed(1)} s. ` +
      (migration.failure ? `${migration.failure.detail} ${migration.failure.remedy}` : ""),
  );
  return { baseUrl: service.baseUrl, dataDir: service.dataDir, admin, migration, seconds };
}

/**
 * A demo with data and a port of its own, for a command that needs one for a while. Returns the path of its file.
 * Throws Fault if a record is not accounted for.
 */
export async function startOwnDemo(started: AsyncDisposableStack, request: DemoRequest): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "crm-demo-"));
  // Started by root, PostgreSQL runs as a user of its own, which has to enter the folder.
  await chmod(folder, 0o711);
  started.defer(() => rm(folder, { recursive: true, force: true }));
  const port = String(await freePort());
  Object.assign(process.env, { PORT: port, DATA_DIR: folder, APP_URL: "", LISTEN_HOST: "127.0.0.1" });
  const { migration } = await startDemo(started, request);
  assertReconciled(migration);
  return join(folder, "demo.json");
}
