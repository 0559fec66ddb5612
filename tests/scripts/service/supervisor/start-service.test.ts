import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { Stopped } from "@/scripts/service/fault";
import { freePort } from "@/scripts/service/free-port";
import { acquireLock } from "@/scripts/service/lock";
import { startService } from "@/scripts/service/supervisor/start-service";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "crm-start-"));
  vi.stubEnv("DATA_DIR", folder);
  vi.stubEnv("DATABASE_URL", "");
  vi.stubEnv("PORT", String(await freePort()));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

test("a second service on a data folder is refused, and leaves the first one's files unchanged", async () => {
  await acquireLock(folder, "npm start");
  await expect(startService({ command: "npm run demo", stopSignal: new AbortController().signal })).rejects.toThrow(
    /npm start is already running on this data folder/,
  );
  expect(await readdir(folder)).toEqual(["service.pid"]);
});

test("an aborted start throws the reason and unlocks the data folder", async () => {
  const stopSignal = AbortSignal.abort(new Stopped("SIGTERM"));
  await expect(startService({ command: "npm start", stopSignal })).rejects.toThrow(Stopped);
  expect(await readdir(folder)).toEqual([]);
});

test("a DATA_DIR that is a file is refused with a sentence", async () => {
  vi.stubEnv("DATA_DIR", join(folder, "file"));
  await writeFile(join(folder, "file"), "");
  await expect(startService({ command: "npm start", stopSignal: new AbortController().signal })).rejects.toThrow(
    /DATA_DIR must be a folder, but .* is a file/,
  );
});
