import { setTimeout } from "node:timers/promises";

import { Client } from "pg";

import type { Supervised } from "@/scripts/service/supervise";

interface Watched {
  web: Pick<Supervised, "pid" | "restart">;
  /** Of the web process: `http://127.0.0.1:3000`. */
  origin: string;
  databaseUrl: string;
  /** Between two checks, in milliseconds. */
  pauseMs?: number;
}

/**
 * So many checks in a row find a web process unfit before it is started again. With the pauses it is some 40 s at
 * least; a fresh one has them too.
 */
const MOST_FAILED = 8;
const PAUSE_MS = 5_000;
/** Longer than the web process takes to say that it is not ready. */
const CHECK_WITHIN_MS = 15_000;
const DATABASE_WITHIN_MS = 5_000;

/**
 * Has the web process started again when it cannot serve requests for long (`/api/health/ready`), or answers nothing at
 * all, while PostgreSQL does answer: then the fault is its own, say that every connection of its pool is lost. Without
 * PostgreSQL a fresh process could do no better. Gives what ends the watching.
 */
export function watchWeb({ web, origin, databaseUrl, pauseMs = PAUSE_MS }: Watched): { stop: () => Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;

  async function watch(): Promise<void> {
    let failed = 0;
    let watchedPid: number | undefined;
    for (;;) {
      await setTimeout(pauseMs, undefined, { signal, ref: false });
      const pid = web.pid();
      if (pid !== watchedPid) failed = 0;
      watchedPid = pid;
      failed = (await isReady(origin, signal)) ? 0 : failed + 1;
      if (failed < MOST_FAILED || web.pid() !== pid) continue;
      if (await isThere(databaseUrl)) web.restart("does not get on with the database, which answers");
      failed = 0;
    }
  }

  // Rejects when it is told to stop, and never otherwise.
  const watching = watch().catch(() => undefined);
  return {
    stop: async () => {
      stopping.abort();
      await watching;
    },
  };
}

async function isReady(origin: string, signal: AbortSignal): Promise<boolean> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(CHECK_WITHIN_MS)]);
  const answer = await fetch(`${origin}/api/health/ready`, { signal: within }).catch(() => undefined);
  await answer?.body?.cancel();
  return answer?.ok ?? false;
}

/** Whether PostgreSQL answers somebody who comes anew. */
async function isThere(url: string): Promise<boolean> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: DATABASE_WITHIN_MS,
    query_timeout: DATABASE_WITHIN_MS,
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
