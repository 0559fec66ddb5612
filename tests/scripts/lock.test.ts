import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, expect, test } from "vitest";

import { type Holder, type Lock, takeLock, tryLock } from "@/scripts/service/lock";
import { beginningOf } from "@/scripts/service/process-identity";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "crm-lock-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function writeLock(pid: number, beginning: string): Promise<void> {
  return writeFile(join(folder, "service.pid"), `${pid}\n${beginning}\nnpm start\n`);
}

/** The id and beginning of a process that was killed and is gone. */
async function killedProcess(): Promise<{ pid: number; beginning: string }> {
  const other = spawn("sleep", ["60"]);
  const pid = other.pid ?? 0;
  const beginning = (await beginningOf(pid)) ?? "";
  const gone = once(other, "exit");
  other.kill("SIGKILL");
  await gone;
  return { pid, beginning };
}

function isLock(outcome: Lock | Holder): outcome is Lock {
  return "release" in outcome;
}

test("a second command on a data folder is refused with what runs there and how to go on", async () => {
  const first = await takeLock(folder, "npm start");
  await expect(takeLock(folder, "npm run demo")).rejects.toThrow(
    new RegExp(`npm start is running on this data folder .*process ${process.pid}.*kill ${process.pid}.*set DATA_DIR`),
  );
  await first.release();
  expect((await takeLock(folder, "npm run demo")).afterCrash).toBe(false);
});

test("a released lock leaves nothing behind", async () => {
  await (await takeLock(folder, "npm start")).release();
  expect(await readdir(folder)).toEqual([]);
});

test("the lock of a killed command is replaced", async () => {
  const { pid, beginning } = await killedProcess();
  await writeLock(pid, beginning);
  expect((await takeLock(folder, "npm start")).afterCrash).toBe(true);
  expect((await readFile(join(folder, "service.pid"), "utf8")).split("\n")[0]).toBe(String(process.pid));
});

test("a lock whose process id belongs to another process now is replaced, were it our own", async () => {
  for (const pid of [process.ppid, process.pid]) {
    await writeLock(pid, "the beginning of another process");
    const lock = await takeLock(folder, "npm start");
    expect(lock.afterCrash).toBe(true);
    await lock.release();
  }
});

test("a killed process that nobody has collected yet does not hold the lock", async () => {
  // The shell starts a process, replaces itself by one that never collects it, and tells its id.
  const parent = spawn("sh", ["-c", "sleep 60 & echo $!; exec sleep 60"]);
  try {
    const pid = Number(String(((await once(parent.stdout, "data")) as [Buffer])[0]));
    const beginning = (await beginningOf(pid)) ?? "";
    expect(beginning).not.toBe("");
    process.kill(pid, "SIGKILL");
    await expect.poll(() => beginningOf(pid)).toBeUndefined();
    await writeLock(pid, beginning);
    expect((await takeLock(folder, "npm start")).afterCrash).toBe(true);
  } finally {
    parent.kill("SIGKILL");
  }
});

test("of many that take a free lock, or a stale one, at the same moment, one gets it", async () => {
  const { pid, beginning } = await killedProcess();
  for (let round = 0; round < 20; round += 1) {
    if (round % 2 === 1) await writeLock(pid, beginning);
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => tryLock(folder, "npm start")));
    const locks = outcomes.filter(isLock);
    expect(locks).toHaveLength(1);
    await locks[0]?.release();
  }
});
