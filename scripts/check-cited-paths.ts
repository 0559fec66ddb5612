import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

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

/**
 * Throws Fault if README, AGENTS, the architecture, the page on deploying, on the specification or on security, or a
 * decision note cites a path that does not exist.
 */
export async function checkCitedPaths(): Promise<void> {
  const missing: string[] = [];
  const decisions = (await readdir(join(ROOT, DECISIONS))).map((name) => `${DECISIONS}/${name}`);
  for (const document of [...DOCUMENTS, ...decisions]) {
    const text = await readFile(join(ROOT, document), "utf8");
    for (const [, path = ""] of text.matchAll(CITED))
      if (!existsSync(join(ROOT, path))) missing.push(`${document}: ${path}`);
  }
  if (missing.length > 0) throw new Fault(`These cited paths do not exist:\n${missing.join("\n")}`);
}
