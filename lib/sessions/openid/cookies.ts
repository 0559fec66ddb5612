import { SESSION_COOKIE_OPTIONS } from "@/lib/sessions/browser-sessions/session-cookie";
import { clearCookie, IS_SECURE } from "@/lib/sessions/browser-sessions/set-cookie";

/** Long enough to type a password and a code of a second factor at the provider. */
const MAX_AGE_SECONDS = 15 * 60;

/** The return from the provider is a navigation from another site: `Lax` lets it bring these, `Strict` would not. */
const options = { ...SESSION_COOKIE_OPTIONS, maxAge: MAX_AGE_SECONDS };

/** `__Host-`: a neighbour below the same domain cannot plant the beginnings of a sign-in of its own. */
function named(name: string) {
  return { name: `${IS_SECURE ? "__Host-" : ""}crm-oidc-${name}`, options };
}

/**
 * What the browser keeps of a sign-in that has gone to the provider: all encrypted but `callbackUrl`, which is where to
 * go afterwards.
 */
export const OIDC_COOKIES = {
  state: named("state"),
  nonce: named("nonce"),
  pkceCodeVerifier: named("verifier"),
  callbackUrl: named("next"),
};

/** `Set-Cookie` values that make the browser forget the attempt. */
export function clearedOidcCookies(): string[] {
  return Object.values(OIDC_COOKIES).map(({ name }) => clearCookie(name));
}
