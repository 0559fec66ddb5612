import { existsSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { digestOf } from "@/scripts/compile.mjs";
import { runProgram } from "@/scripts/service/program";
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
  await runProgram(process.execPath, [join(ROOT, "dist/build-web.js")], { name: "The build", quiet: true, stopSignal });
  await writeFile(STAMP, digest);
}
