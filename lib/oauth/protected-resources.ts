import { env } from "@/lib/env";

const WELL_KNOWN = "/.well-known/oauth-protected-resource";

/** The paths that access tokens open: everything, the REST API, the MCP server. */
const RESOURCE_PATHS = ["", "/api/v1", "/api/mcp"] as const;

export type ResourcePath = (typeof RESOURCE_PATHS)[number];

/** The identifier of a resource, as tokens, metadata and challenges name it (RFC 8707, RFC 9728). */
export function resourceIdentifier(path: ResourcePath): string {
  return `${env.APP_URL}${path}`;
}

/** The URL of a resource's metadata: the well-known segment goes between host and path (RFC 9728 §3.1). */
export function resourceMetadataUrl(path: ResourcePath): string {
  return `${env.APP_URL}${WELL_KNOWN}${path}`;
}

/** The resource at exactly this path, or null. */
export function resourceAt(path: string): ResourcePath | null {
  return RESOURCE_PATHS.find((known) => known === path) ?? null;
}

/** The resource to which a request for `pathname` belongs. */
export function resourceOf(pathname: string): ResourcePath {
  return RESOURCE_PATHS.find((path) => path !== "" && (pathname === path || pathname.startsWith(`${path}/`))) ?? "";
}

/** The identifier that a `resource` parameter names, or null if it is not one of ours. A trailing slash is accepted. */
export function knownResource(parameter: string): string | null {
  const identifier = parameter.replace(/\/$/, "");
  return RESOURCE_PATHS.some((path) => resourceIdentifier(path) === identifier) ? identifier : null;
}

/**
 * Whether a token that was granted for `granted` opens the resource at `path`. A grant that names no resource covers
 * all of ours.
 */
export function isGrantedFor(granted: readonly string[], path: ResourcePath): boolean {
  return granted.length === 0 || granted.includes(resourceIdentifier("")) || granted.includes(resourceIdentifier(path));
}
