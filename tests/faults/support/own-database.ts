import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { closeDatabase } from "@/lib/database/db";
import { env } from "@/lib/env";
import { startCluster } from "@/scripts/postgres/cluster";
import { ensureDatabase } from "@/scripts/postgres/databases";
import { prepareDatabase } from "@/scripts/postgres/prepare-database";
import { runPostgres } from "@/scripts/postgres/program";
import { closeOwner } from "@/tests/support/owner";

/** A PostgreSQL server that a suite may harm. This process and those that it starts use it until it is disposed of. */
export interface OwnDatabase extends AsyncDisposable {
  /**
   * Starts the server anew. `fast`: open transactions are rolled back, connections closed. `immediate`: as in a crash;
   * it recovers from its log.
   */
  restart: (mode: "fast" | "immediate") => Promise<void>;
}

/** Starts a server that keeps what it has acknowledged (fsync), with its files below `root`. */
export async function startOwnDatabase(root = tmpdir(), flags: string[] = []): Promise<OwnDatabase> {
  const folder = await mkdtemp(join(root, "crm-fault-"));
  await chmod(folder, 0o755);
  const data = join(folder, "postgres");
  const cluster = await startCluster(data, { flags });
  const ownerUrl = cluster.url("crm");
  await ensureDatabase(cluster.url("postgres"), "crm");
  const { runtimeUrl } = await prepareDatabase(ownerUrl, { secrets: [env.APP_SECRET ?? ""] });
  const before = { DATABASE_URL: process.env.DATABASE_URL, DATABASE_OWNER_URL: process.env.DATABASE_OWNER_URL };
  await use({ DATABASE_URL: runtimeUrl, DATABASE_OWNER_URL: ownerUrl });
  return {
    // Without a log file, the server would keep the pipe of pg_ctl open.
    restart: (mode) =>
      runPostgres("pg_ctl", ["restart", "-D", data, "-m", mode, "-w", "-t", "60", "-s", "-l", `${data}.log`]),
    [Symbol.asyncDispose]: async () => {
      await use(before);
      await cluster.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function use(urls: Record<"DATABASE_URL" | "DATABASE_OWNER_URL", string | undefined>): Promise<void> {
  await closeDatabase();
  await closeOwner();
  Object.assign(process.env, urls);
  Object.assign(env, { DATABASE_URL: urls.DATABASE_URL });
}
