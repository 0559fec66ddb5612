import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

import { Fault } from "@/scripts/service/fault";

const ROOT = join(import.meta.dirname, "..");
const DECISIONS = "docs/decisions";
const DOCUMENTS = ["README.md", "AGENTS.md", "docs/architecture.md", "docs/specification.md", "docs/security.md"];
/** `code spans` that look like a path of this repository. */
const CITED = /`((?:app|components|docs|inngest|lib|prisma|scripts|tests)\/[\w.,/[\]()-]+)`/g;

/**
 * Throws when README, AGENTS, the architecture, the walk of the specification, the security page or a decision note
 * cite a path that is not there any more.
 */
export async function checkCitedPaths(): Promise<void> {
  const missing: string[] = [];
  const decisions = (await readdir(join(ROOT, DECISIONS))).map((name) => `${DECISIONS}/${name}`);
  for (const document of [...DOCUMENTS, ...decisions]) {
    const text = await readFile(join(ROOT, document), "utf8");
    for (const [, path = ""] of text.matchAll(CITED))
      if (!existsSync(join(ROOT, path))) missing.push(`${document}: ${path}`);
  }
  if (missing.length > 0) throw new Fault(`These cited paths are not there:\n${missing.join("\n")}`);
}
