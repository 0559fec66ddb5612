import { setTimeout } from "node:timers/promises";

import { Client } from "pg";

import type { Supervised } from "@/scripts/service/supervise";

interface WatchOptions {
  process: Pick<Supervised, "pid" | "readiness" | "restart">;
  databaseUrl: string;
  /** Between two checks, in milliseconds. */
  intervalMs?: number;
}

/** What a new process may mend: this one does not answer, or does not get through to the database. */
type Fault = "silent" | "database";

const INTERVAL_MS = 5_000;
/** Longer than a process needs to answer that it is not ready. */
const CHECK_TIMEOUT_MS = 15_000;
const DATABASE_TIMEOUT_MS = 5_000;

/**
 * Faults in a row that restart a process. Silence counts as often as checks would have been made meanwhile: with
 * intervals and waiting, either takes at least 40 s, for a new process too.
 */
const MAX_FAULTS = 8;
const WEIGHTS: Record<Fault, number> = { silent: 4, database: 1 };

const REASONS: Record<Fault, string> = {
  silent: "has not answered for 40 s",
  database: "does not get through to the database, which answers",
};

/**
 * Restarts a process that says for long that the database does not answer, or says nothing, while PostgreSQL is
 * reachable: the fault is then in the process, for example because every connection of its pool is lost. Without
 * PostgreSQL a new process could do no better. The returned `stop` ends the watch.
 */
export function watchProcess({ process, databaseUrl, intervalMs = INTERVAL_MS }: WatchOptions): {
  stop: () => Promise<void>;
} {
  const stopping = new AbortController();
  const { signal } = stopping;

  async function watch(): Promise<void> {
    let faults = 0;
    let watchedPid: number | undefined;
    for (;;) {
      await setTimeout(intervalMs, undefined, { signal, ref: false });
      const pid = process.pid();
      if (pid !== watchedPid) faults = 0;
      watchedPid = pid;
      const fault = await faultOf(process, signal);
      faults = fault ? faults + WEIGHTS[fault] : 0;
      if (!fault || faults < MAX_FAULTS || process.pid() !== pid) continue;
      // One that does not answer does not hear a signal either.
      if (await isDatabaseReachable(databaseUrl)) process.restart(REASONS[fault], { atOnce: fault === "silent" });
      faults = 0;
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

/** That migrations are missing, or that the process is stopping, is no fault of its own. */
async function faultOf(process: WatchOptions["process"], signal: AbortSignal): Promise<Fault | undefined> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(CHECK_TIMEOUT_MS)]);
  const said = await process.readiness(deadline);
  const { reasons } = (said ?? {}) as { reasons?: unknown };
  if (!Array.isArray(reasons)) return "silent";
  return reasons.includes("database") ? "database" : undefined;
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
