import type { Call } from "../server/call";
import type { SandboxOrg } from "../server/sandbox-org";

/** The object of the record, cursor or Bulk job that a path names. */
function objectInPath(org: SandboxOrg, path: string): string | null {
  const named = /\/sobjects\/(\w+)/.exec(path)?.[1];
  if (named !== undefined) return named;
  const job = /\/jobs\/query\/(\w+)/.exec(path)?.[1];
  if (job !== undefined) return org.jobs.objectOf(job);
  const locator = /\/query(?:All)?\/(0r8\w+-\d+)/.exec(path)?.[1];
  return locator === undefined ? null : org.cursors.objectOf(locator);
}

/** The object of a request: from its path, or from the outermost FROM of its SOQL. */
export function requestedObject(org: SandboxOrg, { path, search, body }: Call): string | null {
  const inPath = objectInPath(org, path);
  if (inPath !== null) return inPath;
  const soql = search.get("q") ?? (path.includes("/jobs/query") ? body : "");
  return /\bFROM\s+(\w+)/i.exec(soql.replaceAll(/\([^()]*\)/g, ""))?.[1] ?? null;
}
