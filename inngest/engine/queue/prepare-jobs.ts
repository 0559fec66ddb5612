import { Logger, runMigrations } from "graphile-worker";
import type { Pool } from "pg";

/** Brings graphile-worker's own schema (`graphile_worker`) up to date; harmless when it is, and when several processes do it. */
export async function prepareJobs(pool: Pool): Promise<void> {
  if (pool.listenerCount("error") === 0) pool.on("error", () => undefined);
  await runMigrations({ pgPool: pool, logger: new Logger(() => () => undefined) });
}
