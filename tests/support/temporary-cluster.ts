import { randomBytes } from "node:crypto";
import { chmod, mkdir, readdir, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { startCluster } from "@/scripts/postgres/cluster";

/** Where Linux keeps files in memory. */
const MEMORY = "/dev/shm";

/** Several times what a whole run stores, so that neither the file system nor the machine runs out. */
const MIN_FREE_BYTES = 6 * 1024 ** 3;

/**
 * The folder for temporary databases: in memory if there is plenty, because a copy of a template is hundreds of small
 * files, which takes a busy disk seconds.
 */
async function temporaryRoot(): Promise<string> {
  if (process.availableMemory() < 2 * MIN_FREE_BYTES) return tmpdir();
  const free = await statfs(MEMORY).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return free < MIN_FREE_BYTES ? tmpdir() : MEMORY;
}

/**
 * Creates a folder for a temporary cluster, which is to stand in `cluster` below it. Stops and removes what killed runs
 * left behind: folders have the name of their process.
 */
export async function createClusterFolder(prefix: string, cluster: string): Promise<string> {
  const root = await temporaryRoot();
  for (const left of new Set([root, tmpdir()])) await sweep(left, prefix, cluster);
  const folder = join(root, `${prefix}${process.pid}-${randomBytes(4).toString("hex")}`);
  await mkdir(folder);
  await chmod(folder, 0o755);
  return folder;
}

async function sweep(root: string, prefix: string, cluster: string): Promise<void> {
  for (const name of await readdir(root)) {
    const pid = Number(name.startsWith(prefix) ? name.slice(prefix.length).split("-")[0] : Number.NaN);
    if (Number.isNaN(pid) || isAlive(pid)) continue;
    const folder = join(root, name);
    const left = await startCluster(join(folder, cluster)).catch(() => undefined);
    await left?.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
