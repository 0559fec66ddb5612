import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { expect, onTestFinished, test } from "vitest";

import { WITHOUT_ENV_FILES } from "@/scripts/service/web/built-config";

const run = promisify(execFile);

/** What Next reads files with, when it builds and when it starts. */
const READER = createRequire(createRequire(import.meta.url).resolve("next/package.json")).resolve("@next/env");

const READ = "require(process.argv[1]).loadEnvConfig(process.argv[2]); console.log(process.env.FROM_FILE ?? 'nothing')";

test("Next takes no setting from a file, which the rest of the service would not have", async () => {
  const folder = await mkdtemp(join(tmpdir(), "crm-env-file-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, ".env"), "FROM_FILE=a setting\n");
  const read = async (settings: object) => {
    const env = { ...process.env, NODE_ENV: "production" as const, ...settings };
    return (await run(process.execPath, ["-e", READ, READER, folder], { env })).stdout.trim();
  };
  expect(await read({})).toBe("a setting");
  expect(await read(WITHOUT_ENV_FILES)).toBe("nothing");
});
