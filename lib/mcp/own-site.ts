import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";

/**
 * Refuses a request of another site's page, which must not reach the server through its visitor's browser, nor by a
 * name that the site has bound to this address (MCP, Streamable HTTP, "Security & Endpoint"). Throws `forbidden`.
 */
export function assertOwnSite({ headers }: Request): void {
  const own = new URL(env.APP_URL);
  const host = URL.parse(`${own.protocol}//${forwardedHost(headers) ?? headers.get("host") ?? own.host}`);
  if (!host || !isSame(host, own)) throw new AppError("forbidden", `This server answers at ${own.host} only.`);
  const origin = headers.get("origin");
  if (origin !== null && !isFrom(URL.parse(origin), host, own))
    throw new AppError("forbidden", "Requests of other sites' pages are refused. Call the MCP server from a program.");
}

/**
 * The name by which the browser called, as our proxies pass it on. Where several append, it is the first; the others
 * are the names by which they called one another. Of addresses the last one counts, since a client may write those
 * before it; a page that writes our name here gives itself away by its `Origin`.
 */
function forwardedHost(headers: Headers): string | undefined {
  return env.TRUST_PROXY ? headers.get("x-forwarded-host")?.split(",")[0]?.trim() : undefined;
}

/** The names of this machine, none of which another site can have. */
const LOCAL = new Set(["localhost", "127.0.0.1", "[::1]"]);

function isSame({ host, hostname }: URL, own: URL): boolean {
  return host === own.host || (LOCAL.has(own.hostname) && LOCAL.has(hostname));
}

/** Another program of this machine has another port. */
function isFrom(origin: URL | null, host: URL, own: URL): boolean {
  return origin !== null && isSame(origin, own) && (!LOCAL.has(origin.hostname) || origin.port === host.port);
}
