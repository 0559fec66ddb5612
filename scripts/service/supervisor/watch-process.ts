import { setTimeout } from "node:timers/promises";

import { Client } from "pg";

import type { Supervised } from "@/scripts/service/supervisor/supervise";

interface WatchOptions {
  process: Pick<Supervised, "pid" | "readiness" | "restart">;
  databaseUrl: string;
  /** Between two checks, in milliseconds. */
  intervalMs?: number;
  limits?: Limits;
}

/** How long a process may show a symptom before it is restarted, in milliseconds. */
interface Limits {
  running: number;
  /** Until it has answered once. */
  starting: number;
}

/** What a new process may mend: this one does not answer, or does not get through to the database. */
type Symptom = "silent" | "database";

const INTERVAL_MS = 5_000;
/** Longer than a process needs to answer that it is not ready. */
const CHECK_TIMEOUT_MS = 15_000;
const DATABASE_TIMEOUT_MS = 5_000;

/**
 * A web process answers when it listens, after 3 to 4 s on two busy cores. From a cold disk, or while the machine
 * swaps, it may take many times that, and would take as long again after each restart.
 */
const LIMITS: Limits = { running: 40_000, starting: 120_000 };

/** What is known of a process. Times are those of `performance.now()`. */
interface Watched {
  pid: number;
  hasAnswered: boolean;
  symptom: Symptom | undefined;
  /** When the symptom began: the process has shown no other one since then. */
  since: number;
  checkedAt: number;
}

function watchedFrom(pid: number, hasAnswered: boolean): Watched {
  const now = performance.now();
  return { pid, hasAnswered, symptom: undefined, since: now, checkedAt: now };
}

/**
 * Restarts a process that says for long that the database does not answer, or says nothing, while PostgreSQL is
 * reachable: the fault is then in the process, for example because every connection of its pool is lost. Without
 * PostgreSQL a new process could do no better. The returned `stop` ends the watch.
 */
export function watchProcess({ process, databaseUrl, intervalMs = INTERVAL_MS, limits = LIMITS }: WatchOptions): {
  stop: () => Promise<void>;
} {
  const stopping = new AbortController();
  const { signal } = stopping;

  async function watch(): Promise<void> {
    let watched: Watched | undefined;
    for (;;) {
      await setTimeout(intervalMs, undefined, { signal, ref: false });
      const pid = process.pid();
      // Between two processes nobody is silent.
      if (pid === undefined) continue;
      const before = watched?.pid === pid ? watched : watchedFrom(pid, false);
      const after = afterCheck(before, await symptomOf(process, signal));
      watched = after;
      // Seen twice: a single check may be late because this process was stopped meanwhile.
      if (!after.symptom || after.symptom !== before.symptom) continue;
      const { limit, reason } = verdictOn(after.symptom, after.hasAnswered, limits);
      if (after.checkedAt - after.since < limit) continue;
      // Another process may have been started while PostgreSQL was asked. One that does not answer does not hear a
      // signal either.
      if ((await isDatabaseReachable(databaseUrl)) && process.pid() === pid)
        process.restart(reason, { atOnce: after.symptom === "silent" });
      watched = watchedFrom(pid, after.hasAnswered);
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

function afterCheck(before: Watched, symptom: Symptom | undefined): Watched {
  return {
    pid: before.pid,
    hasAnswered: before.hasAnswered || symptom !== "silent",
    symptom,
    since: symptom === before.symptom ? before.since : before.checkedAt,
    checkedAt: performance.now(),
  };
}

/** How long this symptom may last, and what is said of a process that has had it for longer. */
function verdictOn(symptom: Symptom, hasAnswered: boolean, limits: Limits): { limit: number; reason: string } {
  if (symptom === "database")
    return { limit: limits.running, reason: "does not get through to the database, which answers" };
  const limit = hasAnswered ? limits.running : limits.starting;
  return { limit, reason: `has not answered for ${limit / 1000} s${hasAnswered ? "" : " since its start"}` };
}

/** That migrations are missing, or that the process is stopping, is no fault of its own. */
async function symptomOf(process: WatchOptions["process"], signal: AbortSignal): Promise<Symptom | undefined> {
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
