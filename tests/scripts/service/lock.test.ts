import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, expect, test } from "vitest";

import { type Holder, type Lock, acquireLock, tryLock } from "@/scripts/service/lock";
import { startTimeOf } from "@/scripts/service/process-identity";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "crm-lock-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function writeLock(pid: number, startTime: string): Promise<void> {
  return writeFile(join(folder, "service.pid"), `${pid}\n${startTime}\nnpm start\n`);
}

/** The id and start time of a killed process that no longer exists. */
async function killedProcess(): Promise<{ pid: number; startTime: string }> {
  const other = spawn("sleep", ["60"]);
  const pid = other.pid ?? 0;
  const startTime = (await startTimeOf(pid)) ?? "";
  const exited = once(other, "exit");
  other.kill("SIGKILL");
  await exited;
  return { pid, startTime };
}

function isLock(outcome: Lock | Holder): outcome is Lock {
  return "release" in outcome;
}

test("a second command on a data folder is refused, with the running command and a remedy", async () => {
  const first = await acquireLock(folder, "npm start");
  await expect(acquireLock(folder, "npm run demo")).rejects.toThrow(
    new RegExp(`npm start is already running on this data folder .*${process.pid}.*kill ${process.pid}.*set DATA_DIR`),
  );
  await first.release();
  expect((await acquireLock(folder, "npm run demo")).afterCrash).toBe(false);
});

test("a released lock leaves nothing behind", async () => {
  await (await acquireLock(folder, "npm start")).release();
  expect(await readdir(folder)).toEqual([]);
});

test("the lock of a killed command is replaced", async () => {
  const { pid, startTime } = await killedProcess();
  await writeLock(pid, startTime);
  expect((await acquireLock(folder, "npm start")).afterCrash).toBe(true);
  expect((await readFile(join(folder, "service.pid"), "utf8")).split("\n")[0]).toBe(String(process.pid));
});

test("a lock whose process id now belongs to another process is replaced, even if it is our own id", async () => {
  for (const pid of [process.ppid, process.pid]) {
    await writeLock(pid, "the start time of another process");
    const lock = await acquireLock(folder, "npm start");
    expect(lock.afterCrash).toBe(true);
    await lock.release();
  }
});

test("a zombie process does not hold the lock", async () => {
  // The shell starts a process, prints its id, and replaces itself with one that never reaps it.
  const parent = spawn("sh", ["-c", "sleep 60 & echo $!; exec sleep 60"]);
  try {
    const pid = Number(String(((await once(parent.stdout, "data")) as [Buffer])[0]));
    const startTime = (await startTimeOf(pid)) ?? "";
    expect(startTime).not.toBe("");
    process.kill(pid, "SIGKILL");
    await expect.poll(() => startTimeOf(pid)).toBeUndefined();
    await writeLock(pid, startTime);
    expect((await acquireLock(folder, "npm start")).afterCrash).toBe(true);
  } finally {
    parent.kill("SIGKILL");
  }
});

test("exactly one of many processes acquires a free or a stale lock at the same moment", async () => {
  const { pid, startTime } = await killedProcess();
  for (let round = 0; round < 20; round += 1) {
    if (round % 2 === 1) await writeLock(pid, startTime);
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => tryLock(folder, "npm start")));
    const locks = outcomes.filter(isLock);
    expect(locks).toHaveLength(1);
    await locks[0]?.release();
  }
});
