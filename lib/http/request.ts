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

// Next evaluates modules once per bundle; all of them know of the same responses.
const holder = globalThis as typeof globalThis & { crmResponses?: Map<string, (() => void)[]> };

/** Request id → what to do when its response has been sent, or its connection has ended. */
const responses = (holder.crmResponses ??= new Map());

/**
 * Announces that {@link responseSent} will be called for a request: what waits for that, such as the release of its
 * slot, comes once the response has been read.
 */
export function trackResponse(requestId: string): void {
  responses.set(requestId, []);
}

/** Calls `work` when the response of a request has been sent; at once if that was not announced, or has happened. */
export function onResponseSent(requestId: string, work: () => void): void {
  const listeners = responses.get(requestId);
  if (listeners) listeners.push(work);
  else work();
}

/** Reports that a request's response has been sent, or that its connection has ended. */
export function responseSent(requestId: string): void {
  const listeners = responses.get(requestId) ?? [];
  responses.delete(requestId);
  for (const work of listeners) work();
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

/** Sets headers of an answer, and returns it. */
export function withHeaders(response: Response, headers: Record<string, string>): Response {
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}
