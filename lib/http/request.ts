import { env } from "@/lib/env";
import { isId, newId } from "@/lib/ids";

/** The header of the request id, in responses and from the web process to the routes. */
export const REQUEST_ID = "x-request-id";

/**
 * The id of a request, as response, problem and log name it. The web process (scripts/service/web/serve.ts) sets it and
 * overwrites what a client sends. Without a web process, it is a new one.
 */
export function requestIdOf(request: Request): string {
  const given = request.headers.get(REQUEST_ID);
  return given !== null && isId(given) ? given : newId();
}

/** Some proxies add the port: `192.0.2.7:51234`, `[2001:db8::1]:51234`. Every connection has another one. */
const WITH_PORT = /^(?:(?<v4>[\d.]+):\d+|\[(?<v6>[^\]]+)\](?::\d+)?)$/;

/**
 * The network address of a request, without a port: the last one in `X-Forwarded-For`, which the nearest server saw.
 * The web process (scripts/service/web/serve.ts) writes this header from the connection, unless TRUST_PROXY says that a
 * proxy does.
 */
export function clientAddress(headers: Headers): string {
  const last = headers.get("x-forwarded-for")?.split(",").at(-1)?.trim() || "unknown";
  const { v4, v6 } = WITH_PORT.exec(last)?.groups ?? {};
  return v4 ?? v6 ?? last;
}

/** The value of a cookie in a request's headers, or null. */
export function readCookie(headers: Headers, name: string): string | null {
  for (const pair of headers.get("cookie")?.split(";") ?? []) {
    const equals = pair.indexOf("=");
    if (equals > 0 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim();
  }
  return null;
}

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/** Whether a method only reads (RFC 9110 §9.2.1). */
export function isSafe(method: string): boolean {
  return SAFE_METHODS.has(method);
}

/**
 * Whether one of our own pages has made this request, which a browser's cookie authenticates. Browsers set `Origin` and
 * `Sec-Fetch-Site`, and no page can change them. A request that changes something must carry one of the two. One that
 * only reads may lack both, but must not come from another site.
 */
export function isSameOrigin(request: Request): boolean {
  const site = request.headers.get("sec-fetch-site");
  const origin = request.headers.get("origin");
  if (origin !== null && origin !== "null") return origin === env.APP_URL;
  if (site !== null) return site === "same-origin" || (isSafe(request.method) && site === "none");
  return isSafe(request.method);
}

/** The media type of a request's body, in lower case and without parameters; undefined if none is given. */
export function mediaTypeOf(headers: Headers): string | undefined {
  return headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
}
