import { randomBytes } from "node:crypto";
import { link, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

import { unusableFolder } from "@/scripts/service/data-folder";
import { Fault } from "@/scripts/service/fault";
import { startTimeOf } from "@/scripts/service/process-identity";

/** The command that uses a data folder. Only one at a time may. */
export interface Holder {
  command: string;
  pid: number;
}

export interface Lock {
  release(): Promise<void>;
  /** True if the last holder was killed. Processes that it started may still be ending. */
  afterCrash: boolean;
}

const MAX_TRIES = 50;
const RETRY_MS = 10;

function fileOf(dataDir: string): string {
  return join(dataDir, "service.pid");
}

/**
 * Locks the data folder for this process. Throws Fault if another command holds the lock. A killed command does not.
 */
export async function acquireLock(dataDir: string, command: string): Promise<Lock> {
  const outcome = await tryLock(dataDir, command);
  if ("release" in outcome) return outcome;
  throw new Fault(
    `${outcome.command} is already running on this data folder (${dataDir}), as process ${outcome.pid}. ` +
      `Stop it first (Ctrl-C in its terminal, or kill ${outcome.pid}), or set DATA_DIR to another folder and PORT to ` +
      "another port.",
  );
}

/** Locks the data folder for this process. Returns the other command if one holds the lock. */
export async function tryLock(dataDir: string, command: string): Promise<Lock | Holder> {
  const file = fileOf(dataDir);
  // Written completely before it is linked, so that nobody reads half of it. Like O_EXCL, a link fails if the name
  // exists.
  const own = `${file}.${process.pid}-${randomBytes(4).toString("hex")}`;
  const text = `${process.pid}\n${(await startTimeOf(process.pid)) ?? ""}\n${command}\n`;
  try {
    await writeFile(own, text);
    return await acquireOrFindHolder(file, own, text);
  } catch (error) {
    throw error instanceof Fault ? error : unusableFolder(dataDir, error);
  } finally {
    await rm(own, { force: true });
  }
}

async function acquireOrFindHolder(file: string, own: string, text: string): Promise<Lock | Holder> {
  let afterCrash = false;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    if (await succeedsUnless(link(own, file), "EEXIST")) return { release: () => release(file, text), afterCrash };
    const found = await readIfThere(file);
    if (found === undefined) continue;
    const holder = await holderOf(found);
    if (holder) return holder;
    afterCrash = true;
    await removeStale(file, found, own);
  }
  throw new Fault(`Other commands keep acquiring the lock file ${file}. Try again in a moment.`);
}

/** The command that wrote this lock file, if it is still running: same process id and same start time. */
async function holderOf(text: string): Promise<Holder | undefined> {
  const [id = "", startTime = "", command = "The service"] = text.split("\n");
  const pid = Number(id);
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  return (await startTimeOf(pid)) === startTime ? { command, pid } : undefined;
}

/**
 * Removes the lock of a command that has ended. Only one process at a time may check and remove it; otherwise a slow
 * one would remove the lock that a fast one has just acquired. The process that can link its file to a second name has
 * its turn.
 */
async function removeStale(file: string, stale: string, own: string): Promise<void> {
  const turn = `${file}.turn`;
  if (await succeedsUnless(link(own, turn), "EEXIST")) {
    try {
      if ((await readIfThere(file)) === stale) await rm(file);
    } finally {
      await rm(turn);
    }
    return;
  }
  const other = await readIfThere(turn);
  if (other !== undefined && !(await holderOf(other))) await rm(turn, { force: true });
  await setTimeout(RETRY_MS);
}

async function release(file: string, text: string): Promise<void> {
  if ((await readIfThere(file)) === text) await rm(file, { force: true });
}

function readIfThere(file: string): Promise<string | undefined> {
  return readFile(file, "utf8").catch(() => undefined);
}

async function succeedsUnless(work: Promise<void>, expected: string): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === expected) return false;
    throw error;
  }
}
