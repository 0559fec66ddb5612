import type { AuthOptions, User } from "next-auth";
import CredentialsProvider from "next-auth/providers/credentials";

import { OIDC_ID, oidcForNextAuth } from "@/app/api/auth/oidc-next-auth";
import { oidcError } from "@/app/api/auth/oidc-error";
import { throttledError, UNAVAILABLE } from "@/app/api/auth/sign-in-error";
import { logUnavailability, unavailability } from "@/lib/unavailable";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
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
import { oidcProvider, type OidcProvider, readOidcIdentity } from "@/lib/sessions/openid/provider";
import { checkOidcSignIn } from "@/lib/sessions/openid/sign-in";
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
    }).catch(failSignIn);
    if (check.outcome === "throttled") throw new Error(throttledError(check.retryAfter));
    // The "user" that next-auth passes on is the session: the cookie must hold nothing else.
    const id = check.outcome === "accepted" ? await startSession(check).catch(failSignIn) : null;
    return id === null ? null : { id };
  },
});

interface ProviderSignIn {
  provider: OidcProvider;
  visit: Visit;
  /** What next-auth puts into its token; its id becomes that of the session. */
  user: Pick<User, "id">;
  /** The claims of the verified ID token. */
  claims: unknown;
}

/**
 * Starts the session of the person whom the provider has verified. Returns true, or the address to which a refusal
 * leads, as next-auth's `signIn` callback must.
 */
async function signInThroughProvider({ provider, visit, user, claims }: ProviderSignIn): Promise<true | string> {
  const identity = readOidcIdentity(provider.issuer, claims);
  const check = await checkOidcSignIn({ identity, emailDomains: provider.emailDomains, visit });
  if (check.outcome === "refused") return `/sign-in?error=${oidcError(check.reason)}`;
  // As with a password, the "user" that next-auth passes on is the session.
  const id = await startSession(check.session);
  if (id === null) return `/sign-in?error=${oidcError("disabled")}`;
  user.id = id;
  return true;
}

/**
 * next-auth puts an error's message into the address of the next page: how long to wait, or of an internal failure,
 * which is logged, nothing.
 */
function failSignIn(error: unknown): never {
  if (error instanceof AppError && error.code === "too_many_requests")
    throw new Error(throttledError(error.retryAfter ?? 1));
  const outage = unavailability(error);
  if (outage) logUnavailability(outage, { what: "sign-in" });
  else log.error({ err: error }, "a sign-in failed because of a defect");
  throw new Error(UNAVAILABLE);
}

/** After the words matched here, openid-client's messages contain the compared values. */
const COMPARED = /^((?:state|nonce|at_hash|c_hash) mismatch).*/s;

/**
 * next-auth's `logger.error`. The reason of a failure with the provider is logged, since an administrator needs it: a
 * wrong secret, another issuer, no connection. Only the message: the errors themselves carry whole tokens.
 */
function logRefusal(code: string, metadata: unknown): void {
  const reason = reasonOf(metadata);
  if (code.includes("OAUTH")) log.warn({ next_auth: code, reason }, "a sign-in through the OpenID provider failed");
  else log.info({ next_auth: code }, "next-auth refused");
}

function reasonOf(metadata: unknown): string | undefined {
  const error = metadata instanceof Error ? metadata : (metadata as { error?: unknown } | null)?.error;
  if (!(error instanceof Error)) return undefined;
  // A connection that was tried at several addresses fails without a message.
  return error.message.replace(COMPARED, "$1") || (error as NodeJS.ErrnoException).code;
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
          ? signInThroughProvider({ provider, visit, user, claims: profile }).catch(failSignIn)
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
