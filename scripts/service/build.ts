import { existsSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { digestOf } from "@/scripts/compile.mjs";
import { compactChunks } from "@/scripts/service/compact-chunks";
import { compressStatic } from "@/scripts/service/compressed-static";
import { runTool } from "@/scripts/service/program";
import { ROOT } from "@/scripts/service/root";

const STAMP = join(ROOT, ".next", "built-from");
const SOURCES = [
  "app",
  "components",
  "inngest",
  "lib",
  "prisma/schema.prisma",
  "instrumentation.ts",
  "proxy.ts",
  "next.config.mjs",
  "package-lock.json",
  "tsconfig.json",
  "postcss.config.mjs",
];

/** Builds the web application unless the last build has the same sources. */
export async function buildIfNeeded(print: (line: string) => void, stopSignal: AbortSignal): Promise<void> {
  const digest = digestOf(ROOT, SOURCES);
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
  await compactChunks(join(ROOT, ".next"));
  await compressStatic(join(ROOT, ".next"));
  await writeFile(STAMP, digest);
}
