import { existsSync } from "node:fs";
import { chmod, chown, readFile, rename, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";

import { prepareFolder, readPassword } from "@/scripts/postgres/cluster-folder";
import { findServer, removeLockFile } from "@/scripts/postgres/lock-file";
import { runPostgres, serverUser } from "@/scripts/postgres/program";
import { Fault } from "@/scripts/service/fault";
import { freePort } from "@/scripts/service/free-port";

/** Our own PostgreSQL server: server binaries from npm, its data in one folder. Started and stopped with `pg_ctl`. */
export interface RunningCluster {
  /** Connection string of a database in this cluster. */
  url(database: string): string;
}

export interface Cluster extends RunningCluster {
  stop(): Promise<void>;
}

interface StartOptions {
  flags?: string[];
  print?: (line: string) => void;
  /** Ends the start and leaves a clean cluster. Its reason is thrown. */
  stopSignal?: AbortSignal;
  /** Starts the server again when it has ended by itself, or was killed. */
  keepsRunning?: boolean;
}

const CANCEL_RETRY_MS = 100;

/**
 * pg_ctl waits until the server has started or stopped, and returns at once when it ends. After a crash the server
 * first recovers, for as long as its log takes; whoever gives up and stops it has it begin again.
 */
const WAITING = ["-w", "-t", "3600", "-s"];

/** Nobody needs to be told of a shorter recovery. */
const SAY_AFTER_MS = 5000;

/** How often it is looked whether a server that was left behind has recovered. */
const RECOVERY_POLL_MS = 500;

/** How often it is looked whether the server still runs. */
const WATCH_MS = 2000;

/** The longest pause between two attempts to start a server that does not start. */
const MAX_PAUSE_MS = 60_000;

/**
 * The longest path of a Unix socket on every platform, in bytes (`sun_path` of sockaddr_un without the closing zero;
 * unix(7)).
 */
const MAX_SOCKET_PATH_BYTES = 103;
const LONGEST_SOCKET_NAME = "/.s.PGSQL.65535";

/**
 * Starts the server of `folder`, and creates the folder if it is missing. No other process may use it at the same time.
 * A server that already runs was left behind by a killed process, and is restarted. Throws Fault.
 */
export async function startCluster(
  folder: string,
  { flags = [], print = () => undefined, stopSignal, keepsRunning = false }: StartOptions = {},
): Promise<Cluster> {
  const data = resolve(folder);
  const password = await prepareFolder(data, stopSignal);
  stopSignal?.throwIfAborted();
  await stopLeftover(data, print, stopSignal);
  stopSignal?.throwIfAborted();
  const port = await freePort();
  const startAgain = (signal: AbortSignal) => start({ data, port, flags, print, stopSignal: signal });
  await start({ data, port, flags, print, stopSignal });
  const watch = keepsRunning ? keepRunning({ data, startAgain, print, stopSignal }) : undefined;
  const stop = async () => {
    await watch?.stop();
    if (await isRunning(data)) await stopServer(data);
  };
  return { url: urlOf(data, password, port), stop };
}

interface Kept {
  data: string;
  startAgain: (stopSignal: AbortSignal) => Promise<void>;
  print: (line: string) => void;
  /** From then on, a server that ends is meant to. */
  stopSignal: AbortSignal | undefined;
}

/**
 * Starts the server again, on its port, whenever it does not run. Its lock file stays: PostgreSQL tells by it whether
 * processes of the killed server still use the data, and refuses to start until they have ended. Its log is kept beside
 * the new one.
 */
function keepRunning({ data, startAgain, print, stopSignal }: Kept): { stop: () => Promise<void> } {
  const stopping = new AbortController();
  const signal = stopSignal ? AbortSignal.any([stopping.signal, stopSignal]) : stopping.signal;

  async function restart(isRepeated: boolean): Promise<void> {
    const log = `${data}.log.ended`;
    // An attempt that failed has only its own log to lose.
    if (!isRepeated) await rename(`${data}.log`, log).catch(() => undefined);
    print(`PostgreSQL has ended; ${log} says why. Starting it again.`);
    await startAgain(signal);
    print("PostgreSQL runs again.");
  }

  async function watch(): Promise<void> {
    for (let pauseMs = WATCH_MS; ;) {
      await setTimeout(pauseMs, undefined, { signal, ref: false });
      try {
        if (!(await isRunning(data)) && !signal.aborted) await restart(pauseMs > WATCH_MS);
        pauseMs = WATCH_MS;
      } catch (error) {
        if (signal.aborted) return;
        print(error instanceof Error ? error.message : String(error));
        pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS);
      }
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

async function isRunning(data: string): Promise<boolean> {
  const found = await findServer(data);
  return found !== undefined && found !== "stale";
}

/**
 * The server of `folder` that another process has started. It stays running. Undefined if it does not accept
 * connections.
 */
export async function attachCluster(folder: string): Promise<RunningCluster | undefined> {
  const data = resolve(folder);
  const running = await findServer(data);
  if (!running || running === "stale" || !running.ready) return undefined;
  return { url: urlOf(data, await readPassword(data), running.port) };
}

/**
 * Uses the Unix socket in the data folder if there is one: a query over it takes a fifth less CPU time of both
 * processes than over TCP, which is always open. `host` in the query overrides the URL's host, in libpq (PostgreSQL
 * manual §32.1.1.2) and in pg.
 */
function urlOf(data: string, password: string, port: number): RunningCluster["url"] {
  const bySocket = existsSync(join(data, `.s.PGSQL.${port}`)) ? `?host=${encodeURIComponent(data)}` : "";
  return (database) => `postgresql://crm:${password}@127.0.0.1:${port}/${database}${bySocket}`;
}

/**
 * The socket folder is relative to the data folder, so that its path need not be quoted for the shell with which pg_ctl
 * starts the server.
 */
function settingsOf(data: string, port: number, flags: string[]): string {
  const sockets = canHoldSocket(data) ? "." : "";
  return [
    `-p ${port}`,
    "-c listen_addresses=127.0.0.1",
    `-c unix_socket_directories=${sockets}`,
    ...flags.map((flag) => `-c ${flag}`),
  ].join(" ");
}

function canHoldSocket(data: string): boolean {
  return process.platform !== "win32" && Buffer.byteLength(data + LONGEST_SOCKET_NAME) <= MAX_SOCKET_PATH_BYTES;
}

/**
 * Stops a server that a killed process left running, or removes the lock file that a crash left behind, and prints
 * which. One that recovers is not stopped before it has: it would have to begin again.
 */
async function stopLeftover(
  data: string,
  print: (line: string) => void,
  stopSignal: AbortSignal | undefined,
): Promise<void> {
  const leftover = await findSettled(data, print, stopSignal);
  if (leftover === "stale") {
    print("PostgreSQL was not shut down cleanly. Removed its stale lock file; it recovers when it starts.");
    await removeLockFile(data);
  } else if (leftover) {
    print("PostgreSQL is still running from a command that was killed. Stopping it first.");
    await stopServer(data);
  }
}

/** The server of a folder, once it no longer starts, recovers or stops. An abort ends the waiting. */
async function findSettled(
  data: string,
  print: (line: string) => void,
  stopSignal: AbortSignal | undefined,
): ReturnType<typeof findServer> {
  for (let isSaid = false; ; isSaid = true) {
    const found = await findServer(data);
    if (typeof found !== "object" || found.ready || stopSignal?.aborted) return found;
    if (!isSaid) print(`PostgreSQL, left by a command that was killed, is not ready. ${recovering(data)}`);
    await setTimeout(RECOVERY_POLL_MS);
  }
}

function recovering(data: string): string {
  return `After a crash it recovers first, which can take minutes: ${data}.log says how far it is.`;
}

interface Start {
  data: string;
  port: number;
  flags: string[];
  print: (line: string) => void;
  stopSignal?: AbortSignal | undefined;
}

async function start({ data, port, flags, print, stopSignal }: Start): Promise<void> {
  const logFile = `${data}.log`;
  await writeFile(logFile, "");
  // It may say what statements contained.
  await chmod(logFile, 0o600);
  const user = await serverUser();
  if (user) await chown(logFile, user.uid, user.gid);
  const options = ["-D", data, "-l", logFile, "-o", settingsOf(data, port, flags)];
  const starting = runPostgres("pg_ctl", ["start", ...WAITING, ...options]);
  const end = new AbortController();
  setTimeout(SAY_AFTER_MS, undefined, { signal: end.signal }).then(
    () => print(`PostgreSQL is still starting. ${recovering(data)}`),
    () => undefined,
  );
  onAbort(stopSignal, () => void cancelStart(data, starting), end.signal);
  try {
    await starting;
  } catch (error) {
    stopSignal?.throwIfAborted();
    const log = await readFile(logFile, "utf8").catch(() => "");
    throw new Fault(`PostgreSQL did not start from ${data}. Its log says:\n${log.trim() || String(error)}`);
  } finally {
    end.abort();
  }
  if (!stopSignal?.aborted) return;
  await stopServer(data).catch(() => undefined);
  stopSignal.throwIfAborted();
}

/** Also of a signal that is aborted already. */
function onAbort(signal: AbortSignal | undefined, work: () => void, until: AbortSignal): void {
  if (signal?.aborted) work();
  else signal?.addEventListener("abort", work, { once: true, signal: until });
}

/** Stops a server that is starting as soon as it accepts the command, which makes `pg_ctl start` end. */
async function cancelStart(data: string, starting: Promise<void>): Promise<void> {
  const end = starting.catch(() => undefined).then(() => true);
  do await stopServer(data).catch(() => undefined);
  while (!(await Promise.race([end, setTimeout(CANCEL_RETRY_MS, false)])));
}

async function stopServer(data: string): Promise<void> {
  await runPostgres("pg_ctl", ["stop", ...WAITING, "-D", data, "-m", "fast"]);
}
