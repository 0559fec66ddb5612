import { execFile } from "node:child_process";
import { readdir, readFile, realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

/** A server as described in its `postmaster.pid`. */
export interface RunningServer {
  port: number;
  /** True if it accepts connections. False while it starts, recovers or stops. */
  ready: boolean;
}

/** The lines of `postmaster.pid` (PostgreSQL's src/include/utils/pidfile.h), counted from 0. */
const PID = 0;
const PORT = 3;
const STATUS = 7;

/**
 * Whether the server of a data folder has this process id. Another program may have it since a crash, even a server of
 * another folder. Its command line tells, which everybody may read: `pg_ctl` names the folder there.
 */
async function isServerOf(folder: string, pid: number): Promise<boolean> {
  // A loss of power may leave an empty file. 0 and negative ids stand for groups of processes.
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  const commandLine = await commandLineOf(pid);
  if (commandLine === undefined) return true;
  const [, named] = /-D[\0 ]([^\0]+)/.exec(commandLine) ?? [];
  if (!commandLine.includes("postgres") || named === undefined) return false;
  const [own, other] = await Promise.all([folder, named].map((path) => realpath(path).catch(() => path)));
  return own === other || named.startsWith(`${folder} `);
}

/** The parts of a command line, separated by NUL or by blanks. Undefined where nothing tells. */
function commandLineOf(pid: number): Promise<string | undefined> {
  if (process.platform === "linux") return readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => undefined);
  const ps = promisify(execFile)("ps", ["-ww", "-o", "command=", "-p", String(pid)]);
  return ps.then(({ stdout }) => stdout.trim()).catch(() => undefined);
}

/** The running server of a data folder, "stale" if there is only the lock file of a crashed one, or undefined. */
export async function findServer(folder: string): Promise<RunningServer | "stale" | undefined> {
  const text = await readFile(join(folder, "postmaster.pid"), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const lines = text.split("\n");
  if (!(await isServerOf(folder, Number(lines[PID])))) return "stale";
  return { port: Number(lines[PORT]), ready: lines[STATUS]?.trim() === "ready" };
}

/** Removes what a crashed server left behind: its lock file, and the sockets named after its port. */
export async function removeLockFile(folder: string): Promise<void> {
  const sockets = (await readdir(folder)).filter((name) => name.startsWith(".s.PGSQL."));
  for (const name of [...sockets, "postmaster.pid"]) await rm(join(folder, name), { force: true });
}
