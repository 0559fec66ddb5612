import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { freePort } from "@/scripts/service/free-port";
import { type Service, startService } from "@/scripts/service/start-service";
import { stopRequest, unlessStopped } from "@/scripts/service/stop-request";

/** So high that it never refuses, but requests are counted as usual. */
const LIMIT = String(1e9);

/**
 * Runs `work` against the built service as started by `npm start`, with its processes, defaults and embedded PostgreSQL
 * and separate data. Removes everything afterwards.
 */
export async function withOwnService<T>(command: string, work: (service: Service) => Promise<T>): Promise<T> {
  const stopSignal = stopRequest();
  const folder = await mkdtemp(join(tmpdir(), "crm-benchmark-"));
  await chmod(folder, 0o755);
  const dataDir = join(folder, "data");
  await mkdir(dataDir);
  Object.assign(process.env, { PORT: String(await freePort()), DATA_DIR: dataDir, APP_URL: "", DATABASE_URL: "" });
  try {
    const service = await startService({ command, stopSignal, extra: { RATE_LIMIT_PER_MINUTE: LIMIT } });
    process.env.DATABASE_OWNER_URL = service.databaseOwnerUrl;
    try {
      return await unlessStopped(stopSignal, work(service));
    } finally {
      const { closeDatabase } = await import("@/lib/database/db");
      const { closeOwner } = await import("@/tests/support/owner");
      await Promise.all([closeDatabase(), closeOwner()]);
      await service.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
