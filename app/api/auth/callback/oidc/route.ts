import { backToSignIn } from "@/app/api/auth/back-to-sign-in";
import { callNextAuth } from "@/app/api/auth/call-next-auth";
import { endReplacedSession } from "@/app/api/auth/end-replaced-session";
import { oidcError, type OidcFailure } from "@/app/api/auth/oidc-error";
import { OIDC_ID } from "@/app/api/auth/oidc-next-auth";
import { throttledError, UNAVAILABLE } from "@/app/api/auth/sign-in-error";
import { env } from "@/lib/env";
import { allowOnly, unknownPath } from "@/lib/http/api/fallback-routes";
import { safePath, seeOther } from "@/lib/http/pages/redirects";
import { clientAddress, readCookie } from "@/lib/http/request";
import {
  clearedOidcCookies,
  OIDC_COOKIES,
  openToken,
  SESSION_COOKIE,
  sessionSecret,
} from "@/lib/sessions/browser-sessions/cookies";
import { countOidcStep, takeBackOidcSteps, oidcProvider } from "@/lib/sessions/openid/provider";

const { refuse, options } = allowOnly("GET, OPTIONS");

/** The OpenID provider sends people back to this address, with a code or an error. */
export async function GET(request: Request): Promise<Response> {
  if (!oidcProvider()) return unknownPath(request);
  const address = clientAddress(request.headers);
  const next = readNext(request.headers);
  const { searchParams: answer } = new URL(request.url);
  // The cookies stay, so that a forged link cannot end a sign-in that the person has begun. It is not counted either,
  // since any page can make browsers follow it any number of times.
  if (!(await isOwnState(request, answer.get("state")))) return backToSignIn(oidcError("stale"), next);
  const wait = await countOidcStep(address);
  if (wait > 0) return backToSignIn(throttledError(wait), next);
  if (answer.has("error")) return fail(answer.get("error") === "access_denied" ? "denied" : "failed", next);
  return finish(request, address, next);
}

/**
 * Whether a response of the provider belongs to a sign-in that this browser has begun (RFC 6749 §10.12). next-auth
 * checks this too, but only after it has trusted an `error`, and does not distinguish this failure from others.
 */
async function isOwnState(request: Request, state: string | null): Promise<boolean> {
  const { name } = OIDC_COOKIES.state;
  const cookie = readCookie(request.headers, name);
  if (!cookie || !state) return false;
  return (await openToken(cookie, sessionSecret(), name))?.["value"] === state;
}

function fail(failure: OidcFailure, next: string): Response {
  return backToSignIn(oidcError(failure), next, clearedOidcCookies());
}

async function finish(request: Request, address: string, next: string): Promise<Response> {
  const answer = await callNextAuth({
    action: ["callback", OIDC_ID],
    method: "GET",
    query: readAnswer(new URL(request.url).searchParams),
    body: {},
    cookies: await checkCookies(request.headers),
    headers: request.headers,
  });
  const session = answer.headers.getSetCookie().filter((cookie) => cookie.startsWith(`${SESSION_COOKIE}=`));
  if (session.length === 0) return backToSignIn(readError(answer), next, clearedOidcCookies());
  await takeBackOidcSteps(address);
  await endReplacedSession(request);
  return seeOther(next, [...session, ...clearedOidcCookies()]);
}

/** Our cookies except `callbackUrl`, which is read here. next-auth would open others, too ({@link openToken}). */
async function checkCookies(headers: Headers): Promise<Record<string, string>> {
  const { state, nonce, pkceCodeVerifier } = OIDC_COOKIES;
  const checked = [state, nonce, pkceCodeVerifier].map(async ({ name }) => {
    const value = readCookie(headers, name) ?? "";
    return [name, (await openToken(value, sessionSecret(), name)) ? value : ""];
  });
  return Object.fromEntries(await Promise.all(checked)) as Record<string, string>;
}

/**
 * The parameters of a successful response (OpenID Connect Core 1.0 §3.1.2.5, RFC 9207 §2). Others would control
 * next-auth.
 */
function readAnswer(given: URLSearchParams): Record<string, string> {
  return Object.fromEntries(
    ["code", "state", "iss"].flatMap((name) => (given.has(name) ? [[name, given.get(name) ?? ""]] : [])),
  );
}

/** next-auth calls any failure between the provider and us OAuthCallback; our names are in `oidc-error.ts`. */
function readError(answer: Response): string {
  const error = new URL(answer.headers.get("location") ?? "", env.APP_URL).searchParams.get("error");
  return error === "OAuthCallback" ? oidcError("failed") : (error ?? UNAVAILABLE);
}

/** The page to return to, which next-auth stores in a cookie as an address of ours. */
function readNext(headers: Headers): string {
  try {
    const target = new URL(decodeURIComponent(readCookie(headers, OIDC_COOKIES.callbackUrl.name) ?? ""));
    return target.origin === env.APP_URL ? safePath(`${target.pathname}${target.search}`) : "/";
  } catch {
    return "/";
  }
}

// Without a HEAD handler, Next would answer HEAD with GET, and the code would be spent.
export { refuse as HEAD, refuse as POST, refuse as PUT, refuse as PATCH, refuse as DELETE, options as OPTIONS };
