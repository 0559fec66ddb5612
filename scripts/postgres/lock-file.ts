import { execFile } from "node:child_process";
import { readdir, readFile, readlink, realpath, rm } from "node:fs/promises";
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
 * another folder. A server changes to its folder before it writes its lock file.
 */
async function isServerOf(folder: string, pid: number): Promise<boolean> {
  if (process.platform !== "linux") return isPostgres(pid);
  const workingFolder = await readlink(`/proc/${pid}/cwd`).catch(() => undefined);
  return workingFolder !== undefined && workingFolder === (await realpath(folder));
}

async function isPostgres(pid: number): Promise<boolean> {
  const found = await promisify(execFile)("ps", ["-o", "command=", "-p", String(pid)]).catch(() => undefined);
  return found?.stdout.includes("postgres") ?? false;
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
