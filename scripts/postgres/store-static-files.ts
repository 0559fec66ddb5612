import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

import type { Client } from "pg";

import { withClient } from "@/scripts/postgres/databases";
import { explained } from "@/scripts/postgres/explain-failure";
import { compressedName } from "@/scripts/service/web/static-files";

/** The builds of the present release, the one before, to which one may go back, and one more. */
const KEPT_BUILDS = 3;

const RENEW = "UPDATE static_files SET stored_at = now() WHERE build = $1";

const STORE = `
  INSERT INTO static_files (path, build, content) SELECT path, $1, content
  FROM unnest($2::text[], $3::bytea[]) AS file (path, content) ON CONFLICT DO NOTHING`;

const FORGET = `
  DELETE FROM static_files WHERE build NOT IN (
    SELECT build FROM static_files GROUP BY build ORDER BY max(stored_at) DESC, build LIMIT ${KEPT_BUILDS}
  )`;

/**
 * Stores the scripts and styles of the build in `folder` (`.next`) as the owner of the tables, unless they are there or
 * the build is not finished (scripts/service/build/build-if-needed.ts), and forgets those of old builds. Before a
 * release serves: then each process can answer the pages of the others' releases, which ask for scripts whose names are
 * digests. Throws Fault for what the database says.
 */
export async function storeStaticFiles(ownerUrl: string, folder: string): Promise<void> {
  if (!existsSync(join(folder, "built-from"))) return;
  const build = await readFile(join(folder, "BUILD_ID"), "utf8");
  // Errors of files are none of the database's.
  const asOwner = <T>(work: (owner: Client) => Promise<T>): Promise<T> =>
    explained(ownerUrl, withClient(ownerUrl, work));
  const { rowCount: stored } = await asOwner((owner) => owner.query(RENEW, [build]));
  const files = stored ? undefined : await filesIn(folder);
  await asOwner(async (owner) => {
    if (files) await owner.query(STORE, [build, ...files]);
    await owner.query(FORGET);
  });
}

/** The paths of all scripts and styles, and their compressed contents. */
async function filesIn(folder: string): Promise<[paths: string[], contents: Buffer[]]> {
  const names = await readdir(join(folder, "static"), { recursive: true });
  const paths = names.filter((name) => /\.(?:js|css)$/.test(name)).map((name) => `static/${name}`);
  return [paths, await Promise.all(paths.map((path) => readFile(compressedName(join(folder, path)))))];
}
