import { env } from "@/lib/env";

const WELL_KNOWN = "/.well-known/oauth-protected-resource";

/** Paths of what access tokens open: everything, the REST API, the MCP server. */
const RESOURCE_PATHS = ["", "/api/v1", "/api/mcp"] as const;

export type ResourcePath = (typeof RESOURCE_PATHS)[number];

/** The identifier of a resource, as tokens, metadata and challenges name it (RFC 8707, RFC 9728). */
export function resourceIdentifier(path: ResourcePath): string {
  return `${env.APP_URL}${path}`;
}

/** Where the metadata of a resource stands: the well-known segment goes between host and path (RFC 9728 §3.1). */
export function resourceMetadataUrl(path: ResourcePath): string {
  return `${env.APP_URL}${WELL_KNOWN}${path}`;
}

/** The resource of exactly that path, or null. */
export function resourceAt(path: string): ResourcePath | null {
  return RESOURCE_PATHS.find((known) => known === path) ?? null;
}

/** The resource that a request for `pathname` is made to. */
export function resourceOf(pathname: string): ResourcePath {
  return RESOURCE_PATHS.find((path) => path !== "" && (pathname === path || pathname.startsWith(`${path}/`))) ?? "";
}

/**
 * A `resource` parameter as the identifier that we know it by, or null when it is none of ours. A trailing slash is
 * forgiven.
 */
export function knownResource(parameter: string): string | null {
  const identifier = parameter.replace(/\/$/, "");
  return RESOURCE_PATHS.some((path) => resourceIdentifier(path) === identifier) ? identifier : null;
}

/**
 * Whether a token that was granted for `granted` opens the resource at `path`. A grant that names no resource is for
 * all of ours.
 */
export function isGrantedFor(granted: readonly string[], path: ResourcePath): boolean {
  return granted.length === 0 || granted.includes(resourceIdentifier("")) || granted.includes(resourceIdentifier(path));
}
