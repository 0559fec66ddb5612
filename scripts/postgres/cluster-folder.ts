import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { chown, mkdir, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { userInfo } from "node:os";
import { basename, dirname, join, resolve } from "node:path";

import { makeExecutable, runPostgres, serverUser } from "@/scripts/postgres/program";
import { Fault } from "@/scripts/service/fault";
import { writeSecretFile } from "@/scripts/service/secret-file";

const MAJOR_VERSION = "18";
/** The options of a removal, with retries: the processes of an ended initdb may still be writing. */
const REMOVAL = { recursive: true, force: true, maxRetries: 10 };

/**
 * Creates a server's data folder if it is missing, and returns its password. Throws Fault if this release cannot use
 * the folder.
 */
export async function prepareFolder(folder: string, stopSignal?: AbortSignal): Promise<string> {
  await assertReachable(folder);
  const passwordFile = `${folder}.password`;
  if (existsSync(join(folder, "PG_VERSION"))) {
    await assertSameMajor(folder);
    return readPassword(folder);
  }
  await mkdir(dirname(folder), { recursive: true });
  // A start that was killed may have left an empty one, with which initdb fails.
  if (!(await readFile(passwordFile, "utf8").catch(() => "")).trim())
    await writeSecretFile(passwordFile, `${randomBytes(24).toString("base64url")}\n`);
  await initialise(folder, passwordFile, stopSignal);
  return readPassword(folder);
}

/**
 * The cluster's password. It is created with the cluster and stored beside its folder, where only this user can read
 * it.
 */
export async function readPassword(folder: string): Promise<string> {
  const file = `${folder}.password`;
  if (existsSync(file)) return (await readFile(file, "utf8")).trim();
  throw new Fault(
    `The password file ${file} of the data folder is missing. Put it back, or set DATABASE_URL to another server.`,
  );
}

/**
 * Creates the folder under another name and renames it, so that an existing folder is complete, even if this process
 * was killed.
 */
async function initialise(folder: string, passwordFile: string, stopSignal?: AbortSignal): Promise<void> {
  await makeExecutable();
  const unfinished = `${folder}.new-`;
  for (const name of await readdir(dirname(folder))) {
    if (name.startsWith(basename(unfinished))) await rm(join(dirname(folder), name), REMOVAL);
  }
  const made = `${unfinished}${process.pid}`;
  await mkdir(made);
  const user = await serverUser();
  if (user) await Promise.all([made, passwordFile].map((path) => chown(path, user.uid, user.gid)));
  const options = [
    "--username=crm",
    `--pwfile=${passwordFile}`,
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    "--locale=C.UTF-8",
  ];
  try {
    await runPostgres("initdb", [`--pgdata=${made}`, ...options], stopSignal);
    await rename(made, folder);
  } catch (error) {
    await rm(made, REMOVAL);
    stopSignal?.throwIfAborted();
    throw new Fault(`PostgreSQL could not create its data folder ${folder}.\n${String(error)}`);
  }
}

async function assertSameMajor(folder: string): Promise<void> {
  const version = (await readFile(join(folder, "PG_VERSION"), "utf8")).trim();
  if (version === MAJOR_VERSION) return;
  throw new Fault(
    `The data folder ${folder} was created by PostgreSQL ${version}. This release uses PostgreSQL ${MAJOR_VERSION}, ` +
      `which cannot read it. Export it with pg_dump of version ${version} and load it into a new folder (set ` +
      "DATA_DIR), or set DATABASE_URL to a server with your data.",
  );
}

/** The user `postgres` may not be able to enter root's folders above the data. This error is clearer than initdb's. */
async function assertReachable(folder: string): Promise<void> {
  if (userInfo().uid !== 0) return;
  for (let path = resolve(folder, ".."); path !== "/"; path = resolve(path, "..")) {
    if (existsSync(path) && ((await stat(path)).mode & 0o001) === 0) {
      throw new Fault(
        `PostgreSQL runs as the user "postgres" when started by root, and that user cannot enter ${path}. ` +
          `Allow it (chmod o+x ${path}), set DATA_DIR to another folder, or start it as an ordinary user.`,
      );
    }
  }
}
