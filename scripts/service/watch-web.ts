import { setTimeout } from "node:timers/promises";

import { Client } from "pg";

import type { Supervised } from "@/scripts/service/supervise";

interface WatchOptions {
  web: Pick<Supervised, "pid" | "readiness" | "restart">;
  databaseUrl: string;
  /** Between two checks, in milliseconds. */
  intervalMs?: number;
}

/**
 * This many failed checks in a row restart the web process. With the intervals, that takes at least 40 s, for a new
 * process too.
 */
const MAX_FAILED_CHECKS = 8;
const INTERVAL_MS = 5_000;
/** Longer than the web process needs to answer that it is not ready. */
const CHECK_TIMEOUT_MS = 15_000;
const DATABASE_TIMEOUT_MS = 5_000;

/**
 * Restarts a web process when it says for long that the database does not answer, or says nothing itself, while
 * PostgreSQL is reachable: the fault is then in the process, for example because every connection of its pool is lost.
 * Without PostgreSQL a new process could do no better. The returned `stop` ends the watch.
 */
export function watchWeb({ web, databaseUrl, intervalMs = INTERVAL_MS }: WatchOptions): {
  stop: () => Promise<void>;
} {
  const stopping = new AbortController();
  const { signal } = stopping;

  async function watch(): Promise<void> {
    let failed = 0;
    let watchedPid: number | undefined;
    for (;;) {
      await setTimeout(intervalMs, undefined, { signal, ref: false });
      const pid = web.pid();
      if (pid !== watchedPid) failed = 0;
      watchedPid = pid;
      failed = (await mayBeMended(web, signal)) ? failed + 1 : 0;
      if (failed < MAX_FAILED_CHECKS || web.pid() !== pid) continue;
      if (await isDatabaseReachable(databaseUrl)) web.restart("is not ready although the database answers");
      failed = 0;
    }
  }

  // Rejects only when it is stopped.
  const watching = watch().catch(() => undefined);
  return {
    stop: async () => {
      stopping.abort();
      await watching;
    },
  };
}

/**
 * Whether the web process fails in a way that a new one may mend: it does not answer, or does not get through to the
 * database. That migrations are missing, or that it is stopping, is no such reason.
 */
async function mayBeMended(web: WatchOptions["web"], signal: AbortSignal): Promise<boolean> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(CHECK_TIMEOUT_MS)]);
  const said = await web.readiness(deadline);
  const { reasons } = (said ?? {}) as { reasons?: unknown };
  return !Array.isArray(reasons) || reasons.includes("database");
}

/** True if PostgreSQL accepts a new connection. */
async function isDatabaseReachable(url: string): Promise<boolean> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: DATABASE_TIMEOUT_MS,
    query_timeout: DATABASE_TIMEOUT_MS,
  });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query("SELECT 1");
    return true;
  } catch {
    return false;
  } finally {
    void client.end().catch(() => undefined);
  }
}
