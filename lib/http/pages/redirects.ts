import { env } from "@/lib/env";
import { htmlPage } from "@/lib/http/pages/html-page";

/**
 * Sends the browser on to a path of ours with a GET (RFC 9110 §15.4.4). Never 307: it would send a form, and what was
 * typed into it, once more. The path may hold a code, so nothing is stored and no referrer is sent. To other origins
 * leads `leaveOrigin`.
 */
export function seeOther(location: string, setCookies: readonly string[] = []): Response {
  if (!/^\/(?!\/)/.test(location)) throw new Error("A redirect leads to a path of ours.");
  const headers = new Headers({ location, "cache-control": "no-store", "referrer-policy": "no-referrer" });
  for (const cookie of setCookies) headers.append("set-cookie", cookie);
  return new Response(null, { status: 303, headers });
}

interface Destination {
  /** A complete address, of another origin. */
  location: string;
  /** What people call it; its host unless given. */
  name?: string;
}

const WEB_PROTOCOLS = new Set(["https:", "http:"]);

/**
 * Sends the browser to another origin: the only way out of ours. It is a page that goes on by itself and not a
 * redirect, because browsers hold every redirect that follows a form against the `form-action` of the page with that
 * form (CSP Level 3 §6.4.1): ours, those before it, and those of hosts that come after it, which nobody here knows.
 * What a page begins is a new navigation. Programs, which do not ask for HTML, are redirected (RFC 9110 §15.4.4). The
 * address may hold a code, so nothing is stored and no referrer is sent. Throws for what is no complete address of a
 * web page: `javascript:` and `data:` would run here, as ours. No redirect URI of another kind can be registered
 * (`lib/oauth/clients/client-fields.ts`), so it is a defect of ours, or of a provider.
 */
export function leaveOrigin(
  request: Request,
  { location, name = new URL(location).host }: Destination,
  setCookies: readonly string[] = [],
): Response {
  if (!WEB_PROTOCOLS.has(new URL(location).protocol))
    throw new Error("Browsers are led to web pages alone, by https: or http:.");
  const asksForPage = request.headers.get("accept")?.includes("text/html");
  const answer = asksForPage ? leavingPage(location, name) : new Response(null, { status: 303, headers: { location } });
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

/**
 * `path` when it leads to a page of ours, otherwise "/". What comes in a `next` parameter may have been written by
 * anybody.
 */
export function safePath(path: string | null | undefined): string {
  if (!path?.startsWith("/") || !URL.canParse(path, env.APP_URL)) return "/";
  const url = new URL(path, env.APP_URL);
  // Where dot segments were taken out, a path can begin with two slashes, which a browser takes for a host:
  // `/.//evil.example`.
  return url.origin === env.APP_URL && !url.pathname.startsWith("//") ? `${url.pathname}${url.search}` : "/";
}
