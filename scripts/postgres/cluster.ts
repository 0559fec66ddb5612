import { existsSync } from "node:fs";
import { chown, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";

import { prepareFolder, readPassword } from "@/scripts/postgres/data-folder";
import { findServer, removeLockFile } from "@/scripts/postgres/lock-file";
import { runPostgres, serverUser } from "@/scripts/postgres/program";
import { Fault } from "@/scripts/service/fault";
import { freePort } from "@/scripts/service/free-port";

/**
 * A PostgreSQL server of our own: real server binaries from npm, its data in one folder. Started and stopped with
 * `pg_ctl`.
 */
export interface RunningCluster {
  /** Connection string of a database in this cluster. */
  url(database: string): string;
}

export interface Cluster extends RunningCluster {
  stop(): Promise<void>;
}

interface StartOptions {
  flags?: string[];
  say?: (line: string) => void;
  /** Ends the start at once and leaves a clean cluster; its reason is thrown. */
  asked?: AbortSignal;
}

const CANCEL_EVERY_MS = 100;

/**
 * The longest path of a Unix socket that every platform takes, in bytes (`sun_path` of sockaddr_un, less its closing
 * zero; unix(7)).
 */
const MOST_SOCKET_PATH = 103;
const LONGEST_SOCKET_NAME = "/.s.PGSQL.65535";

/**
 * Starts the server of `folder`, creating the folder first if need be. The caller must be the only one to work on it: a
 * server that runs already was left behind by a process that was killed, and is started anew. Throws Fault.
 */
export async function startCluster(
  folder: string,
  { flags = [], say = () => undefined, asked }: StartOptions = {},
): Promise<Cluster> {
  const data = resolve(folder);
  const password = await prepareFolder(data, asked);
  asked?.throwIfAborted();
  await takeOver(data, say);
  asked?.throwIfAborted();
  const port = await freePort();
  await start(data, port, flags, asked);
  return { url: urlOf(data, password, port), stop: () => stopServer(data) };
}

/**
 * The server of `folder` as another process has started it, to be used and left running; undefined when none takes
 * connections.
 */
export async function attachCluster(folder: string): Promise<RunningCluster | undefined> {
  const data = resolve(folder);
  const running = await findServer(data);
  if (!running || running === "stale" || !running.ready) return undefined;
  return { url: urlOf(data, await readPassword(data), running.port) };
}

/**
 * By the Unix socket in the data folder, if there is one: over it a query takes a fifth less of both processes than by
 * TCP, which is always open. `host` in the query goes before the host of the address, in libpq (PostgreSQL manual
 * §32.1.1.2) as in pg.
 */
function urlOf(data: string, password: string, port: number): RunningCluster["url"] {
  const bySocket = existsSync(join(data, `.s.PGSQL.${port}`)) ? `?host=${encodeURIComponent(data)}` : "";
  return (database) => `postgresql://crm:${password}@127.0.0.1:${port}/${database}${bySocket}`;
}

/**
 * A folder of sockets is relative to the data folder: its path need not be quoted for the shell through which pg_ctl
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
  return process.platform !== "win32" && Buffer.byteLength(data + LONGEST_SOCKET_NAME) <= MOST_SOCKET_PATH;
}

/**
 * Stops what a killed process left running, or removes the lock file that a crash left behind, with a word about it.
 */
async function takeOver(data: string, say: (line: string) => void): Promise<void> {
  const left = await findServer(data);
  if (left === "stale") {
    say("PostgreSQL was not shut down cleanly last time; its stale lock file is removed and it recovers by itself.");
    await removeLockFile(data);
  } else if (left) {
    say("PostgreSQL still runs from a start that was killed; it is stopped and started anew.");
    await stopServer(data);
  }
}

async function start(data: string, port: number, flags: string[], asked?: AbortSignal): Promise<void> {
  const logFile = `${data}.log`;
  await writeFile(logFile, "");
  const user = await serverUser();
  if (user) await chown(logFile, user.uid, user.gid);
  const starting = runPostgres("pg_ctl", [
    "start",
    "-D",
    data,
    "-w",
    "-t",
    "60",
    "-s",
    "-l",
    logFile,
    "-o",
    settingsOf(data, port, flags),
  ]);
  const cancel = asked && (() => void cancelStart(data, starting));
  if (cancel) asked.addEventListener("abort", cancel, { once: true });
  try {
    await starting;
  } catch (error) {
    asked?.throwIfAborted();
    const log = await readFile(logFile, "utf8").catch(() => "");
    throw new Fault(`PostgreSQL did not start from ${data}. Its log says:\n${log.trim() || String(error)}`);
  } finally {
    if (cancel) asked.removeEventListener("abort", cancel);
  }
  if (!asked?.aborted) return;
  await stopServer(data).catch(() => undefined);
  asked.throwIfAborted();
}

/** Stops a server that is starting, as soon as it can be told to, which makes `pg_ctl start` end. */
async function cancelStart(data: string, starting: Promise<void>): Promise<void> {
  const end = starting.catch(() => undefined).then(() => true);
  do await stopServer(data).catch(() => undefined);
  while (!(await Promise.race([end, setTimeout(CANCEL_EVERY_MS, false)])));
}

async function stopServer(data: string): Promise<void> {
  await runPostgres("pg_ctl", ["stop", "-D", data, "-m", "fast", "-w", "-t", "60", "-s"]);
}
