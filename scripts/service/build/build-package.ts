import { nodeFileTrace } from "@vercel/nft";
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";

import { buildIfNeeded } from "@/scripts/service/build/build-if-needed";
import { MIN_NODE_MAJOR } from "@/scripts/service/fault";
import { ROOT } from "@/scripts/service/root";

export const OUT = join(ROOT, "out");

/** The programs of a deployment; their imports are traced. `npm start` and the demo belong to a checkout. */
const PROGRAMS = ["web", "worker", "prepare-database", "rotate-secret", "create-organization"].map(
  (name) => `dist/${name}.js`,
);

/** What the programs read, beside what they import. */
const FILES = [
  "prisma/schema.prisma",
  "prisma/migrations",
  "node_modules/@prisma/schema-engine-wasm/schema_engine_bg.wasm",
  "docs/errors",
  ".env.example",
  "LICENSE",
];

/**
 * Writes everything that web and worker need to run on another machine to `out`: the build, the compiled programs, and
 * of `node_modules` only the files that they load. `Dockerfile` makes an image of it.
 */
export async function buildPackage(stopSignal: AbortSignal): Promise<void> {
  await buildIfNeeded((line) => console.log(line), stopSignal);
  await rm(OUT, { recursive: true, force: true });
  const { fileList } = await nodeFileTrace(PROGRAMS, { base: ROOT });
  const files = new Set([...fileList, ...(await tracedByNext())].filter(isLoaded));
  for (const file of [...files, ...FILES]) await copy(file);
  await writeFile(join(OUT, "package.json"), packageJsonOf(await readFile(join(ROOT, "package.json"), "utf8")));
  await cp(join(ROOT, ".next"), join(OUT, ".next"), { recursive: true, filter: isNeededToRun });
  console.log(`Packaged ${relative(ROOT, OUT)}; there, \`node dist/web.js\` starts the web process.`);
}

/** The package.json. In a checkout any Node starts the pinned one; here the programs run on the machine's own. */
export function packageJsonOf(ofCheckout: string): string {
  const fields = JSON.parse(ofCheckout) as Record<string, unknown>;
  return `${JSON.stringify({ ...fields, engines: { node: `>=${MIN_NODE_MAJOR}` } }, null, 2)}\n`;
}

/** Next has traced its server and each page, in lists beside them. */
async function tracedByNext(): Promise<string[]> {
  const names = await readdir(join(ROOT, ".next"), { recursive: true });
  const lists = names.filter((name) => name.endsWith(".nft.json")).map((name) => join(ROOT, ".next", name));
  const files = await Promise.all(
    lists.map(async (list) => {
      const { files: of } = JSON.parse(await readFile(list, "utf8")) as { files: string[] };
      return of.map((file) => relative(ROOT, resolve(dirname(list), file)));
    }),
  );
  return files.flat();
}

async function copy(file: string): Promise<void> {
  await mkdir(dirname(join(OUT, file)), { recursive: true });
  await cp(join(ROOT, file), join(OUT, file), { recursive: true, verbatimSymlinks: true });
}

/**
 * Packages and compiled programs, without Next's manual, what it loads only in development, and maps of sources. Next
 * also traces sources of ours, wherever a path is made while it runs.
 */
function isLoaded(file: string): boolean {
  return /^(?:node_modules|dist)\//.test(file) && !/\.map$|\.dev\.js$|^node_modules\/next\/dist\/docs\//.test(file);
}

/** Without the compiler's cache, its traces and the maps of sources. */
function isNeededToRun(path: string): boolean {
  const name = relative(join(ROOT, ".next"), path);
  return !/^(?:cache|trace|types|diagnostics|dev)(?:$|\/)|\.nft\.json$|\.map$/.test(name);
}
