import { execFile } from "node:child_process";
import { mkdtemp, rm, truncate } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { expect, test } from "vitest";

import { startOwnDatabase } from "@/tests/faults/support/own-database";
import { Writers } from "@/tests/faults/support/writers";
import { callerWith } from "@/tests/http/support/call-api";
import { restartWebs } from "@/tests/http/support/two-webs";
import { createAccessToken, createContext } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

const execute = promisify(execFile);

const DISK_MB = 220;
const PATIENCE_MS = 300_000;

interface Disk extends AsyncDisposable {
  folder: string;
  /** Leaves nothing free, or frees what it has taken. */
  fill: () => Promise<void>;
  free: () => Promise<void>;
}

/** A file system of its own, in memory. Null where this user may not mount one. */
async function mountDisk(): Promise<Disk | null> {
  const folder = await mkdtemp(join(tmpdir(), "crm-disk-"));
  const options = ["-t", "tmpfs", "-o", `size=${DISK_MB}m,mode=755`, "tmpfs", folder];
  const isMounted = await execute("mount", options).then(
    () => true,
    () => false,
  );
  if (!isMounted) {
    await rm(folder, { recursive: true });
    return null;
  }
  const ballast = join(folder, "ballast");
  return {
    folder,
    // dd fails when nothing is left, which is the point.
    fill: async () => void (await execute("dd", ["if=/dev/zero", `of=${ballast}`, "bs=64k"]).catch(() => undefined)),
    free: () => truncate(ballast),
    [Symbol.asyncDispose]: async () => {
      await execute("umount", ["-l", folder]);
      await rm(folder, { recursive: true });
    },
  };
}

test(
  "with a full disk, writes are refused and reads go on; once there is room, nothing is lost",
  async (context) => {
    await using disk = await mountDisk();
    if (!disk) return context.skip("this user may not mount a file system to fill");
    await using database = await startOwnDatabase(disk.folder, ["max_wal_size=32MB", "min_wal_size=32MB"]);
    await restartWebs();
    const call = callerWith(await createAccessToken(await createContext()));
    const eventually = { timeout: PATIENCE_MS };

    const writers = new Writers(call, 4);
    await expect.poll(() => writers.acknowledged.length, eventually).toBeGreaterThan(50);
    await disk.fill();
    await expect.poll(() => writers.refused.length, eventually).toBeGreaterThan(20);
    const { status } = await call("GET", "/accounts");
    await disk.free();
    // A log that cannot be written stops the server; whoever runs it starts it again.
    if (status !== 200) await database.restart("immediate");
    const goal = writers.acknowledged.length + 50;
    await expect.poll(() => writers.acknowledged.length, eventually).toBeGreaterThan(goal);
    await writers.stop();

    const { rows } = await pool().query<{ name: string }>("SELECT name FROM accounts");
    const [names, { acknowledged, refused, refusals }] = [new Set(rows.map(({ name }) => name)), writers];
    expect(names.size).toBe(rows.length);
    expect(acknowledged.filter((name) => !names.has(name))).toEqual([]);
    expect([...names].filter((name) => !acknowledged.includes(name) && !refused.includes(name))).toEqual([]);
    expect([...refusals].filter((refusal) => !refusal.startsWith("5"))).toEqual([]);
  },
  PATIENCE_MS,
);
