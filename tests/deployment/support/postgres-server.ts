import { execFile } from "node:child_process";
import { chmod, chown, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

import { serverUser } from "@/scripts/postgres/program";
import { freePort } from "@/scripts/service/free-port";

const execute = promisify(execFile);

const OWNER = { name: "crm", password: "of-the-owner-of-the-tables" };

/** A PostgreSQL server of the operator's: installed by the system, and not by this repository. */
export interface PostgresServer {
  /** The address of the tables' owner. */
  ownerUrl: string;
  /** The address of web and worker, whose user the preparation creates. */
  runtimeUrl: string;
  /** Runs one of PostgreSQL's programs, such as pg_dump. */
  run: (program: string, args: readonly string[]) => Promise<string>;
  stop: () => Promise<void>;
}

/** Starts an empty server in `folder`, with the database `crm`. Programs run as an ordinary user. */
export async function startPostgres(folder: string): Promise<PostgresServer> {
  const bin = process.env.POSTGRES_BIN;
  if (!bin) throw new Error("`npm run rehearse` sets POSTGRES_BIN to the folder of PostgreSQL's programs.");
  const user = await serverUser();
  const run = async (program: string, args: readonly string[]): Promise<string> => {
    const { stdout } = await execute(join(bin, program), args, { ...user, cwd: "/", maxBuffer: 64 * 1024 ** 2 });
    return stdout;
  };
  await mkdir(folder);
  await chmod(folder, 0o755);
  if (user) await chown(folder, user.uid, user.gid);
  const [data, passwordFile, port] = [join(folder, "data"), join(folder, "password"), await freePort()];
  await writeFile(passwordFile, OWNER.password, { mode: 0o644 });
  await run("initdb", ["-D", data, "-U", OWNER.name, "-A", "scram-sha-256", `--pwfile=${passwordFile}`, "-E", "UTF8"]);
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections=200`;
  // Its output would keep the pipe of pg_ctl open.
  await run("pg_ctl", ["-D", data, "-l", join(folder, "log"), "-o", options, "-w", "start"]);
  const urlOf = (name: string, password: string, database = "crm") =>
    `postgresql://${name}:${password}@127.0.0.1:${port}/${database}`;
  await run("psql", ["-c", "CREATE DATABASE crm", urlOf(OWNER.name, OWNER.password, "postgres")]);
  return {
    ownerUrl: urlOf(OWNER.name, OWNER.password),
    runtimeUrl: urlOf("crm_service", "of-web-and-worker"),
    run,
    stop: async () => void (await run("pg_ctl", ["-D", data, "-m", "fast", "-w", "stop"])),
  };
}
