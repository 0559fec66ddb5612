import { access, constants, mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";

import { Fault } from "@/scripts/service/fault";

/** Creates the folder of DATA_DIR if it is missing. Throws Fault if it cannot be created or written to. */
export async function makeDataFolder(folder: string): Promise<void> {
  try {
    await makeRecursively(folder);
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw error instanceof Fault ? error : unusableFolder(folder, error);
  }
}

/**
 * Creates level by level: where a parent is not an ordinary folder, as below /proc, Node's recursive mkdir never
 * returns.
 */
async function makeRecursively(folder: string): Promise<void> {
  const found = await stat(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
  if (found?.isDirectory()) return;
  if (found) throw new Fault(`DATA_DIR must be a folder, but ${folder} is a file. Set DATA_DIR to another folder.`);
  await makeRecursively(dirname(folder));
  await mkdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
}

const REASONS: Record<string, string> = {
  EACCES: "this user may not write there",
  EPERM: "this user may not write there",
  EROFS: "its disk is read-only",
  ENOSPC: "its disk is full",
  ENOTDIR: "a folder above it is a file",
};

/** Explains to the person who chose the folder why nothing can be stored in it. */
export function unusableFolder(folder: string, error: unknown): Fault {
  const { code = String(error) } = error as NodeJS.ErrnoException;
  const reason = REASONS[code] ?? "no file can be created there";
  const remedy =
    code === "ENOSPC" ? "Free some space, or set DATA_DIR to another folder." : "Set DATA_DIR to a writable folder.";
  return new Fault(`The service cannot store its data in ${folder} (DATA_DIR): ${reason} (${code}). ${remedy}`);
}
