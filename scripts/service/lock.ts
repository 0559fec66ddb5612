import { randomBytes } from "node:crypto";
import { link, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

import { unusable } from "@/scripts/service/data-folder";
import { Fault } from "@/scripts/service/fault";
import { beginningOf } from "@/scripts/service/process-identity";

/** The command that works on a data folder: only one at a time may. */
export interface Holder {
  command: string;
  pid: number;
}

export interface Lock {
  release(): Promise<void>;
  /** Whether the last holder was killed, so that what it had started may still be about to end. */
  afterCrash: boolean;
}

const TRIES = 50;
const TRY_EVERY_MS = 10;

function fileOf(dataDir: string): string {
  return join(dataDir, "service.pid");
}

/**
 * Takes the data folder for this process. Throws a sentence when another command has it. One that was killed does not
 * count.
 */
export async function takeLock(dataDir: string, command: string): Promise<Lock> {
  const taken = await tryLock(dataDir, command);
  if ("release" in taken) return taken;
  throw new Fault(
    `${taken.command} is running on this data folder (${dataDir}) already, as process ${taken.pid}. ` +
      `Stop it first (Ctrl-C in its terminal, or kill ${taken.pid}), or set DATA_DIR to another folder and PORT to ` +
      "another port.",
  );
}

/** Takes the data folder for this process, unless another command has it: then that one is returned. */
export async function tryLock(dataDir: string, command: string): Promise<Lock | Holder> {
  const file = fileOf(dataDir);
  // Written whole and then linked, so that nobody reads half of it; a link to a name that is there fails, like O_EXCL.
  const own = `${file}.${process.pid}-${randomBytes(4).toString("hex")}`;
  const text = `${process.pid}\n${(await beginningOf(process.pid)) ?? ""}\n${command}\n`;
  try {
    await writeFile(own, text);
    return await takeOrFind(file, own, text);
  } catch (error) {
    throw error instanceof Fault ? error : unusable(dataDir, error);
  } finally {
    await rm(own, { force: true });
  }
}

async function takeOrFind(file: string, own: string, text: string): Promise<Lock | Holder> {
  let afterCrash = false;
  for (let tries = 0; tries < TRIES; tries += 1) {
    if (await succeeds(link(own, file), "EEXIST")) return { release: () => release(file, text), afterCrash };
    const found = await readIfThere(file);
    if (found === undefined) continue;
    const holder = await holderOf(found);
    if (holder) return holder;
    afterCrash = true;
    await removeStale(file, found, own);
  }
  throw new Fault(`The lock file ${file} changes hands all the time. Try again in a moment.`);
}

/** Who wrote this lock file, if still alive: same process id and same beginning. */
async function holderOf(text: string): Promise<Holder | undefined> {
  const [id = "", beginning = "", command = "The service"] = text.split("\n");
  const pid = Number(id);
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  return (await beginningOf(pid)) === beginning ? { command, pid } : undefined;
}

/**
 * Removes the lock of a command that is gone. Only one process at a time may look and remove, or a slow one would
 * remove the lock that a quick one has just taken: whoever links its own file to a second name has its turn.
 */
async function removeStale(file: string, stale: string, own: string): Promise<void> {
  const turn = `${file}.turn`;
  if (await succeeds(link(own, turn), "EEXIST")) {
    try {
      if ((await readIfThere(file)) === stale) await rm(file);
    } finally {
      await rm(turn);
    }
    return;
  }
  const other = await readIfThere(turn);
  if (other !== undefined && !(await holderOf(other))) await rm(turn, { force: true });
  await setTimeout(TRY_EVERY_MS);
}

async function release(file: string, text: string): Promise<void> {
  if ((await readIfThere(file)) === text) await rm(file, { force: true });
}

function readIfThere(file: string): Promise<string | undefined> {
  return readFile(file, "utf8").catch(() => undefined);
}

async function succeeds(work: Promise<void>, expected: string): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === expected) return false;
    throw error;
  }
}
