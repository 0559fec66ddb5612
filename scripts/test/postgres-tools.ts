import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";

import { installDebianPackage } from "@/scripts/test/debian-package";
import { Fault } from "@/scripts/service/fault";

/** Where Debian keeps the programs of each PostgreSQL version. */
const DEBIAN = "/usr/lib/postgresql";

/** The folder with initdb, pg_ctl, pg_dump and pg_restore: POSTGRES_BIN, or the newest that Debian has installed. */
async function findPostgresTools(): Promise<string | undefined> {
  const versions = existsSync(DEBIAN) ? await readdir(DEBIAN) : [];
  const newestFirst = versions.toSorted((one, other) => Number(other) - Number(one));
  const folders = [process.env.POSTGRES_BIN ?? "", ...newestFirst.map((version) => join(DEBIAN, version, "bin"))];
  return folders.find((folder) => ["initdb", "pg_dump"].every((program) => existsSync(join(folder, program))));
}

/** That folder. On Debian, as root, PostgreSQL is installed if missing. Throws Fault otherwise. */
export async function findOrInstallPostgresTools(stopSignal: AbortSignal): Promise<string> {
  const found = await findPostgresTools();
  if (found) return found;
  const elsewhere = "If it is installed elsewhere, set POSTGRES_BIN to the folder of initdb and pg_dump.";
  await installDebianPackage("postgresql", `The rehearsal needs PostgreSQL's own programs. ${elsewhere}`, stopSignal);
  const installed = await findPostgresTools();
  if (!installed) throw new Fault(`apt-get installed postgresql, but ${DEBIAN} has no initdb. ${elsewhere}`);
  return installed;
}
