import { access, constants, mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";

import { Fault } from "@/scripts/service/fault";

/** Makes the folder of DATA_DIR if need be. Throws a sentence when it cannot be made or written to. */
export async function makeDataFolder(folder: string): Promise<void> {
  try {
    await make(folder);
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw error instanceof Fault ? error : unusable(folder, error);
  }
}

/** Level by level: where a parent is no ordinary folder, as below /proc, Node's recursive mkdir tries for ever. */
async function make(folder: string): Promise<void> {
  const found = await stat(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
  if (found?.isDirectory()) return;
  if (found) throw new Fault(`DATA_DIR needs a folder, but ${folder} is a file. Set DATA_DIR to another folder.`);
  await make(dirname(folder));
  await mkdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
}

const REASONS: Record<string, string> = {
  EACCES: "this user may not write there",
  EPERM: "this user may not write there",
  EROFS: "its disk can only be read",
  ENOSPC: "its disk is full",
  ENOTDIR: "something above it is a file, not a folder",
};

/** Why nothing can be kept in the folder, for the person who chose it. */
export function unusable(folder: string, error: unknown): Fault {
  const { code = String(error) } = error as NodeJS.ErrnoException;
  const why = REASONS[code] ?? "no file can be made there";
  return new Fault(
    `The service cannot keep its data in ${folder} (DATA_DIR): ${why} (${code}). Set DATA_DIR to a folder that can ` +
      "be written to.",
  );
}
