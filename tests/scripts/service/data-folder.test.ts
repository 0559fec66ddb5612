import { execFile } from "node:child_process";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { afterEach, beforeEach, expect, test } from "vitest";

import { makeDataFolder } from "@/scripts/service/data-folder";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "crm-data-folder-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test("a data folder is created with every folder above it", async () => {
  const path = join(folder, "a/b/c");
  await makeDataFolder(path);
  await makeDataFolder(path);
  expect((await stat(path)).isDirectory()).toBe(true);
});

test("a DATA_DIR that is a file, or below one, is refused with a sentence", async () => {
  const file = join(folder, "file");
  await writeFile(file, "");
  await expect(makeDataFolder(file)).rejects.toThrow(
    /^DATA_DIR must be a folder, but .*\/file is a file\. Set DATA_DIR to another folder\.$/,
  );
  await expect(makeDataFolder(join(file, "data"))).rejects.toThrow(
    /\(DATA_DIR\): a folder above it is a file.*Set DATA_DIR/,
  );
});

/** In a separate process, because a call that never returns cannot be cancelled. */
test.skipIf(process.platform !== "linux")("a DATA_DIR where nothing can be created is refused at once", async () => {
  const script =
    'import("@/scripts/service/data-folder").then((m) => m.makeDataFolder("/proc/no/such"))' +
    ".catch((e) => console.log(e.message))";
  const args = ["-s", "KILL", "20", process.execPath, "--import", "tsx", "-e", script];
  const { stdout } = await promisify(execFile)("timeout", args);
  expect(stdout).toMatch(
    /cannot store its data in \/proc\/no\/such \(DATA_DIR\): no file can be created there .*Set DATA_DIR/,
  );
});
