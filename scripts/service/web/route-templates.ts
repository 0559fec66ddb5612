import { readFile } from "node:fs/promises";
import { join } from "node:path";

interface Branch {
  fixed: Map<string, Branch>;
  /** The branch of any one segment. */
  any?: Branch;
  /** The template for all that follows: [...path]. */
  rest?: string;
  /** The template that ends here. */
  end?: string;
}

/** The template of a path, such as `/api/v1/{resource}/{id}`: one of few, and without anything that a caller wrote. */
export type FindTemplate = (path: string) => string;

/** What the build serves without a route of ours. */
const STATIC = "/_next/{...path}";

/** The template of a path that no route has. */
const NONE = "none";

/** The routes of the build in `folder` (`.next`), as Next lists them. */
export async function readTemplates(folder: string): Promise<FindTemplate> {
  const manifest = await readFile(join(folder, "app-path-routes-manifest.json"), "utf8");
  return templatesOf(Object.values(JSON.parse(manifest) as Record<string, string>));
}

/** `routes` in Next's notation: `/api/v1/[resource]/[id]`. */
export function templatesOf(routes: readonly string[]): FindTemplate {
  const root: Branch = { fixed: new Map() };
  for (const route of routes) add(root, route);
  return (path) => (path.startsWith("/_next/") ? STATIC : (find(root, path.split("/").filter(Boolean), 0) ?? NONE));
}

/** `route` in Next's notation. */
export function templateOf(route: string): string {
  return route.replaceAll(/\[{1,2}([^\]]+)\]{1,2}/g, "{$1}");
}

function add(root: Branch, route: string): void {
  const template = templateOf(route);
  let branch = root;
  for (const segment of route.split("/").filter(Boolean)) {
    if (segment.startsWith("[[...")) branch.end ??= template;
    if (/^\[{1,2}\.{3}/.test(segment)) {
      branch.rest = template;
      return;
    }
    branch = segment.startsWith("[") ? (branch.any ??= newBranch()) : fixedBranch(branch, segment);
  }
  branch.end = template;
}

function newBranch(): Branch {
  return { fixed: new Map() };
}

function fixedBranch({ fixed }: Branch, segment: string): Branch {
  const branch = fixed.get(segment) ?? newBranch();
  fixed.set(segment, branch);
  return branch;
}

/** As Next chooses: a fixed segment before any, and any before the rest. */
function find(branch: Branch, segments: readonly string[], from: number): string | undefined {
  const segment = segments[from];
  if (segment === undefined) return branch.end;
  const fixed = branch.fixed.get(segment);
  return (
    (fixed && find(fixed, segments, from + 1)) ?? (branch.any && find(branch.any, segments, from + 1)) ?? branch.rest
  );
}
