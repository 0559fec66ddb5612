import type { AuthOptions } from "next-auth";
import CredentialsProvider from "next-auth/providers/credentials";

import { OIDC_ID, oidcForNextAuth } from "@/app/api/auth/oidc-next-auth";
import { signInThroughProvider } from "@/app/api/auth/oidc-session";
import { logRefusal } from "@/app/api/auth/log-refusal";
import { throttledError, UNAVAILABLE } from "@/app/api/auth/sign-in-error";
import { logUnavailability, unavailability } from "@/lib/unavailable";
import { env } from "@/lib/env";
import { safePath } from "@/lib/http/pages/redirects";
import { readCookie } from "@/lib/http/request";
import { visitOf } from "@/lib/http/api/authenticate";
import { log } from "@/lib/log";
import {
  sealSessionId,
  SESSION_COOKIE,
  SESSION_COOKIE_OPTIONS,
  sessionSecret,
  OIDC_COOKIES,
  DEVICE_COOKIE,
} from "@/lib/sessions/browser-sessions/cookies";
import { SESSION_SECONDS, startSession, type Visit } from "@/lib/sessions/browser-sessions/session-store";
import { oidcProvider } from "@/lib/sessions/openid/provider";
import { checkSignIn } from "@/lib/sessions/sign-in/check-sign-in";

const credentials = CredentialsProvider({
  credentials: { email: { type: "email" }, password: { type: "password" } },
  async authorize(given, { headers }) {
    const requestHeaders = new Headers(headers as Record<string, string>);
    const check = await checkSignIn({
      ...visitOf(requestHeaders),
      email: given?.email ?? "",
      password: given?.password ?? "",
      deviceMark: readCookie(requestHeaders, DEVICE_COOKIE),
    }).catch(unavailable);
    if (check.outcome === "throttled") throw new Error(throttledError(check.retryAfter));
    // The "user" that next-auth passes on is the session: the cookie must hold nothing else.
    const id = check.outcome === "accepted" ? await startSession(check).catch(unavailable) : null;
    return id === null ? null : { id };
  },
});

/** next-auth puts an error's message into the address of the next page, so an internal failure is only logged. */
function unavailable(error: unknown): never {
  const outage = unavailability(error);
  if (outage) logUnavailability(outage, { what: "sign-in" });
  else log.error({ err: error }, "a sign-in failed because of a defect");
  throw new Error(UNAVAILABLE);
}

/**
 * How people sign in. next-auth's token holds the id of a row of `sessions`, and `requestSession` looks that up. Our
 * routes run the steps of next-auth that they need (`call-next-auth.ts`); none of its own addresses is open. Built per
 * request, since a build has no secret.
 */
export function authOptions(visit: Visit): AuthOptions {
  const provider = oidcProvider();
  return {
    secret: sessionSecret(),
    providers: [credentials, ...(provider ? [oidcForNextAuth(provider)] : [])],
    session: { strategy: "jwt", maxAge: SESSION_SECONDS },
    useSecureCookies: SESSION_COOKIE_OPTIONS.secure,
    cookies: { sessionToken: { name: SESSION_COOKIE, options: SESSION_COOKIE_OPTIONS }, ...OIDC_COOKIES },
    pages: { signIn: "/sign-in", error: "/sign-in" },
    jwt: { encode: ({ token }) => sealSessionId(String(token?.["sid"])) },
    callbacks: {
      signIn: ({ user, account, profile }) =>
        provider && account?.provider === OIDC_ID
          ? signInThroughProvider({ provider, visit, user, claims: profile }).catch(unavailable)
          : true,
      jwt: ({ user }) => ({ sid: user.id }),
      redirect: ({ url }) =>
        `${env.APP_URL}${safePath(url.startsWith(env.APP_URL) ? url.slice(env.APP_URL.length) : url)}`,
    },
    logger: {
      error: logRefusal,
      warn: () => undefined,
      debug: () => undefined,
    },
  };
}
