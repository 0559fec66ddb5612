import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";

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

async function isPostgres(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  const commandLine = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => undefined);
  return commandLine === undefined || commandLine.includes("postgres");
}

/** The running server of a data folder, "stale" if there is only the lock file of a crashed one, or undefined. */
export async function findServer(folder: string): Promise<RunningServer | "stale" | undefined> {
  const text = await readFile(join(folder, "postmaster.pid"), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const lines = text.split("\n");
  if (!(await isPostgres(Number(lines[PID])))) return "stale";
  return { port: Number(lines[PORT]), ready: lines[STATUS]?.trim() === "ready" };
}

/** Removes what a crashed server left behind: its lock file, and the sockets named after its port. */
export async function removeLockFile(folder: string): Promise<void> {
  const sockets = (await readdir(folder)).filter((name) => name.startsWith(".s.PGSQL."));
  for (const name of [...sockets, "postmaster.pid"]) await rm(join(folder, name), { force: true });
}
