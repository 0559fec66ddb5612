import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { freePort } from "@/scripts/service/free-port";
import { type Service, startService } from "@/scripts/service/supervisor/start-service";
import { stopRequest, unlessStopped } from "@/scripts/service/stop-request";

/** So high that it never refuses, but requests are counted as usual. */
export const RATE_LIMIT_PER_MINUTE = String(1e9);

/**
 * Runs `work` against the built service as started by `npm start`, with one process of each kind, its defaults and
 * embedded PostgreSQL, and separate data. Removes everything afterwards.
 */
export async function withOwnService<T>(command: string, work: (service: Service) => Promise<T>): Promise<T> {
  return inOwnFolder(async (dataDir, stopSignal, ends) => {
    const own = { PORT: String(await freePort()), DATA_DIR: dataDir, APP_URL: "", DATABASE_URL: "" };
    const extra = { ...own, WEB_PROCESSES: "1", WORKER_PROCESSES: "1", RATE_LIMIT_PER_MINUTE };
    const service = await startService({ command, stopSignal, extra });
    ends.defer(() => service.stop());
    process.env.DATABASE_OWNER_URL = service.databaseOwnerUrl;
    return unlessStopped(stopSignal, work(service));
  });
}

/**
 * Runs `work` with an empty folder for data. Then closes this process's connections to the database, ends what `work`
 * has deferred, and removes the folder. The signal aborts when the person asks to stop.
 */
export async function inOwnFolder<T>(
  work: (dataDir: string, stopSignal: AbortSignal, ends: AsyncDisposableStack) => Promise<T>,
): Promise<T> {
  const stopSignal = stopRequest();
  await using ends = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "crm-benchmark-"));
  ends.defer(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o755);
  const dataDir = join(folder, "data");
  await mkdir(dataDir);
  try {
    return await work(dataDir, stopSignal, ends);
  } finally {
    const { closeDatabase } = await import("@/lib/database/db");
    const { closeOwner } = await import("@/tests/support/owner");
    await Promise.all([closeDatabase(), closeOwner()]);
  }
}
