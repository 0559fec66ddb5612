import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { compressStatic } from "@/scripts/service/compressed-static";
import { runTool } from "@/scripts/service/program";

const ROOT = join(import.meta.dirname, "../..");
const STAMP = join(ROOT, ".next", "built-from");
const SOURCES = [
  "app",
  "components",
  "inngest",
  "lib",
  "prisma/schema.prisma",
  "instrumentation.ts",
  "proxy.ts",
  "next.config.ts",
  "package-lock.json",
  "tsconfig.json",
  "postcss.config.mjs",
];

/** A digest of all files that a build depends on. */
async function digestSources(): Promise<string> {
  const hash = createHash("sha256");
  for (const source of SOURCES) {
    for (const file of await filesOf(join(ROOT, source)))
      hash.update(file.slice(ROOT.length)).update(await readFile(file));
  }
  return hash.digest("hex");
}

async function filesOf(path: string): Promise<string[]> {
  if (!existsSync(path)) return [];
  const entries = await readdir(path, { withFileTypes: true, recursive: true }).catch(() => undefined);
  if (!entries) return [path];
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return files.filter((file) => !file.includes("/lib/generated/")).toSorted();
}

/** Builds the web application unless the last build has the same sources. */
export async function buildIfNeeded(print: (line: string) => void, stopSignal: AbortSignal): Promise<void> {
  const digest = await digestSources();
  const builtDigest = existsSync(STAMP) ? await readFile(STAMP, "utf8") : "";
  if (builtDigest === digest) return;
  print("Building the web application (about a minute, once per version) …");
  // An interrupted build must not look like the previous one.
  await rm(STAMP, { force: true });
  await runTool("next", ["build"], {
    name: "The build",
    env: { NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
    quiet: true,
    stopSignal,
  });
  await compressStatic(join(ROOT, ".next"));
  await writeFile(STAMP, digest);
}
