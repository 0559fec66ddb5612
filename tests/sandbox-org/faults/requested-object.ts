import type { Call } from "../server/exchange";
import type { SandboxOrg } from "../server/sandbox-org";

/** The object that a request is about: of its path, of the outermost FROM of its SOQL, or of the cursor or Bulk job that it goes on with. */
export function requestedObject(org: SandboxOrg, { path, search, body }: Call): string | null {
  const inPath = /\/sobjects\/(\w+)/.exec(path)?.[1];
  if (inPath !== undefined) return inPath;
  const job = /\/jobs\/query\/(\w+)/.exec(path)?.[1];
  if (job !== undefined) return org.jobs.objectOf(job);
  const locator = /\/query(?:All)?\/(0r8\w+-\d+)/.exec(path)?.[1];
  if (locator !== undefined) return org.cursors.objectOf(locator);
  const soql = search.get("q") ?? (path.includes("/jobs/query") ? body : "");
  return /\bFROM\s+(\w+)/i.exec(soql.replaceAll(/\([^()]*\)/g, ""))?.[1] ?? null;
}
