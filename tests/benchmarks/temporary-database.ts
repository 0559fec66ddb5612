import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { startCluster } from "@/scripts/postgres/cluster";
import { ensureDatabase } from "@/scripts/postgres/databases";
import { prepareDatabase } from "@/scripts/postgres/prepare-database";
import { type RunningOrg, startSandboxOrg } from "@/sandbox-org/start";
import { dropDatabase, withDatabase } from "@/tests/support/databases";

interface BenchmarkSetup {
  startOrg(records: number): Promise<RunningOrg>;
}

/** An empty cluster with the settings of `npm start`, unless DATABASE_URL names a server. */
async function startServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const server = process.env.DATABASE_URL;
  if (server) return { url: server, stop: async () => undefined };
  const folder = await mkdtemp(join(tmpdir(), "crm-benchmark-"));
  await chmod(folder, 0o755);
  const cluster = await startCluster(join(folder, "postgres"), {
    flags: ["max_connections=200", "shared_buffers=256MB"],
  });
  return {
    url: cluster.url("postgres"),
    stop: async () => {
      await cluster.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Runs `measure` with an empty, migrated database in this process's settings, and removes everything afterwards. */
export async function withService<T>(measure: (setup: BenchmarkSetup) => Promise<T>): Promise<T> {
  const server = await startServer();
  const name = `crm_benchmark_${randomBytes(4).toString("hex")}`;
  await ensureDatabase(server.url, name);
  const ownerUrl = withDatabase(server.url, name);
  const secret = randomBytes(32).toString("hex");
  const { runtimeUrl } = await prepareDatabase(ownerUrl, { secrets: [secret] });
  const database = { DATABASE_URL: runtimeUrl, DATABASE_OWNER_URL: ownerUrl };
  Object.assign(process.env, { ...database, APP_SECRET: secret, LOG_LEVEL: "error", ALLOW_PRIVATE_NETWORK: "true" });
  const orgs: RunningOrg[] = [];
  const startOrg = async (records: number) => {
    const org = await startSandboxOrg({ records });
    orgs.push(org);
    return org;
  };
  try {
    return await measure({ startOrg });
  } finally {
    await Promise.all(orgs.map((org) => org.stop()));
    const { closeDatabase } = await import("@/lib/database/db");
    const { closeOwner } = await import("@/tests/support/owner");
    await Promise.all([closeDatabase(), closeOwner()]);
    await dropDatabase(server.url, name);
    await server.stop();
  }
}
