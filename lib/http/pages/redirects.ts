import { env } from "@/lib/env";
import { htmlPage } from "@/lib/http/pages/html-page";

/**
 * Redirects the browser to a path of ours, by GET (RFC 9110 §15.4.4). Never 307, which would send a form with its
 * values again. The path may hold a code, so nothing is stored and no referrer is sent. To another origin, use {@link
 * leaveOrigin}.
 */
export function seeOther(location: string, setCookies: readonly string[] = []): Response {
  if (!/^\/(?!\/)/.test(location)) throw new Error("A redirect must lead to a path of ours.");
  const headers = new Headers({ location, "cache-control": "no-store", "referrer-policy": "no-referrer" });
  for (const cookie of setCookies) headers.append("set-cookie", cookie);
  return new Response(null, { status: 303, headers });
}

interface Destination {
  /** A complete address at another origin. */
  location: string;
  /** Its name for people; the host by default. */
  name?: string;
}

const WEB_PROTOCOLS = new Set(["https:", "http:"]);

/**
 * Sends the browser to another origin; nothing else does. It answers a page that goes on by itself instead of a
 * redirect: browsers check every redirect that follows a form against the `form-action` of the page with that form (CSP
 * Level 3 §6.4.1). That includes later redirects by other hosts, which we cannot know. A page starts a new navigation.
 * Programs, which do not accept HTML, get a redirect (RFC 9110 §15.4.4). The address may hold a code, so nothing is
 * stored and no referrer is sent. Throws unless it is a complete web address: `javascript:` and `data:` would run as
 * our own page. No other redirect URI can be registered (`lib/oauth/clients/client-fields.ts`), so that is a defect of
 * ours or of a provider.
 */
export function leaveOrigin(
  request: Request,
  { location, name = new URL(location).host }: Destination,
  setCookies: readonly string[] = [],
): Response {
  if (!WEB_PROTOCOLS.has(new URL(location).protocol))
    throw new Error("A browser is sent only to https: or http: addresses.");
  const acceptsHtml = request.headers.get("accept")?.includes("text/html");
  const answer = acceptsHtml ? leavingPage(location, name) : new Response(null, { status: 303, headers: { location } });
  answer.headers.set("cache-control", "no-store");
  answer.headers.set("referrer-policy", "no-referrer");
  for (const cookie of setCookies) answer.headers.append("set-cookie", cookie);
  return answer;
}

function leavingPage(location: string, name: string): Response {
  const link = { href: location, text: `Go on to ${name}` };
  const page = htmlPage({ status: 200, title: `Going on to ${name}`, paragraphs: ["You are being sent there."], link });
  page.headers.set("refresh", `0; url=${location}`);
  return page;
}

/** `path` if it leads to a page of ours, otherwise "/". Anybody can have written a `next` parameter. */
export function safePath(path: string | null | undefined): string {
  if (!path?.startsWith("/") || !URL.canParse(path, env.APP_URL)) return "/";
  const url = new URL(path, env.APP_URL);
  // After dot segments are removed, a path can begin with two slashes, after which a browser reads a host:
  // `/.//evil.example`.
  return url.origin === env.APP_URL && !url.pathname.startsWith("//") ? `${url.pathname}${url.search}` : "/";
}
