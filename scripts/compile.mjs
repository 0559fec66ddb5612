// Compiles the programs that run the service into `dist`. They start sooner than from their sources, and no process
// keeps a compiler in memory. Like bootstrap.mjs, it runs on the machine's own Node.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Program in `dist` → its source. */
export const PROGRAMS = {
  start: "scripts/start.ts",
  web: "scripts/web.ts",
  worker: "scripts/worker.ts",
  "build-web": "scripts/build-web.ts",
  "prepare-database": "scripts/prepare-database.ts",
  demo: "scripts/demo.ts",
  "seed-demo": "scripts/seed-demo.ts",
  "rotate-secret": "scripts/rotate-secret.ts",
  "create-organization": "scripts/create-organization.ts",
  "sandbox-org": "sandbox-org/main.ts",
};

const SOURCES = [
  "scripts",
  "sandbox-org",
  "inngest",
  "lib",
  "prisma/schema.prisma",
  "package-lock.json",
  "tsconfig.json",
];

/**
 * A digest of files and of all files in folders below `root`, except the generated ones, which follow from the others.
 * @param {string} root
 * @param {readonly string[]} sources
 */
export function digestOf(root, sources) {
  const hash = createHash("sha256");
  for (const source of sources)
    for (const file of filesOf(root, source)) hash.update(`${file}\0`).update(readFileSync(join(root, file)));
  return hash.digest("hex");
}

/**
 * @param {string} root
 * @param {string} source
 */
function filesOf(root, source) {
  const path = join(root, source);
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [source];
  return readdirSync(path, { recursive: true, encoding: "utf8" })
    .filter((name) => !name.startsWith("generated") && statSync(join(path, name)).isFile())
    .map((name) => join(source, name))
    .toSorted();
}

/**
 * Compiles the programs unless those in `dist` have the same sources.
 * @param {string} root
 */
export async function compileIfNeeded(root) {
  const stamp = join(root, "dist", "compiled-from");
  const digest = digestOf(root, SOURCES);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === digest) return;
  rmSync(join(root, "dist"), { recursive: true, force: true });
  await compile(root, PROGRAMS, "dist");
  writeFileSync(stamp, digest);
}

/**
 * Compiles programs into a folder below `root`, where they find the packages that they import.
 * @param {string} root
 * @param {Record<string, string>} programs
 * @param {string} folder
 */
export async function compile(root, programs, folder) {
  const { build, stop } = await import("esbuild");
  await build({
    absWorkingDir: root,
    entryPoints: programs,
    outdir: folder,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node24",
    packages: "external",
    logLevel: "warning",
  });
  // Its process would stay for as long as this one.
  await stop();
}
