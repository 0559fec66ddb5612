import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";

import { Fault } from "@/scripts/service/fault";
import { ROOT } from "@/scripts/service/root";

const DECISIONS = "docs/decisions";
const DOCUMENTS = [
  "README.md",
  "AGENTS.md",
  "docs/architecture.md",
  "docs/deploy.md",
  "docs/specification.md",
  "docs/security.md",
];
/** Code spans that look like a path of this repository. */
const CITED = /`((?:app|components|docs|inngest|lib|prisma|sandbox-org|scripts|tests)\/[\w.,/[\]()-]+)`/g;

/** Folders that explain themselves in READMEs, each naming what is below it. */
const EXPLAINED = ["components", "inngest", "lib", "sandbox-org", "scripts", "tests"];
/** Code spans of such a README that look like a file or a folder. */
const NAMED = /`(\w[\w./[\]()-]*(?:\.(?:tsx?|mjs|md)|\/))`/g;

/**
 * Throws Fault if README, AGENTS, the architecture, the page on deploying, on the specification or on security, or a
 * decision note cites a path that does not exist, or a folder's README names something that is nowhere below it.
 */
export async function checkCitedPaths(): Promise<void> {
  const missing: string[] = [];
  const decisions = (await readdir(join(ROOT, DECISIONS))).map((name) => `${DECISIONS}/${name}`);
  for (const document of [...DOCUMENTS, ...decisions]) {
    for (const path of await spansOf(document, CITED))
      if (!existsSync(join(ROOT, path))) missing.push(`${document}: ${path}`);
  }
  for (const folder of EXPLAINED) missing.push(...(await missingBelow(folder)));
  if (missing.length > 0) throw new Fault(`These cited paths do not exist:\n${missing.join("\n")}`);
}

async function spansOf(document: string, span: RegExp): Promise<string[]> {
  const text = await readFile(join(ROOT, document), "utf8");
  return [...text.matchAll(span)].map(([, path = ""]) => path);
}

/** What the READMEs of a folder and of those below it name in vain. */
async function missingBelow(folder: string): Promise<string[]> {
  const below = (await readdir(join(ROOT, folder), { recursive: true })).map((path) => `/${folder}/${path}`);
  const missing: string[] = [];
  for (const readme of below.filter((path) => path.endsWith("/README.md"))) {
    const inside = below.filter((path) => path.startsWith(`${dirname(readme)}/`));
    const isThere = (name: string) =>
      existsSync(join(ROOT, name)) || inside.some((path) => path.endsWith(`/${name.replace(/\/$/, "")}`));
    const names = await spansOf(readme, NAMED);
    missing.push(...names.filter((name) => !isThere(name)).map((name) => `${readme.slice(1)}: ${name}`));
  }
  return missing;
}
