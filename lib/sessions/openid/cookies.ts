import { SESSION_COOKIE_OPTIONS } from "@/lib/sessions/browser-sessions/session-cookie";
import { clearCookie, IS_SECURE } from "@/lib/sessions/browser-sessions/set-cookie";

/** Enough time to enter a password and a second factor at the provider. */
const MAX_AGE_SECONDS = 15 * 60;

/**
 * The browser returns from the provider by a navigation from another site: `Lax` sends these cookies then, `Strict`
 * would not.
 */
const options = { ...SESSION_COOKIE_OPTIONS, maxAge: MAX_AGE_SECONDS };

/** With `__Host-`, another host of the same domain cannot plant cookies of a sign-in that it has begun. */
function named(name: string) {
  return { name: `${IS_SECURE ? "__Host-" : ""}crm-oidc-${name}`, options };
}

/** The cookies of a sign-in that is at the provider. All are encrypted except `callbackUrl`, the page to return to. */
export const OIDC_COOKIES = {
  state: named("state"),
  nonce: named("nonce"),
  pkceCodeVerifier: named("verifier"),
  callbackUrl: named("next"),
};

/** `Set-Cookie` values that delete these cookies. */
export function clearedOidcCookies(): string[] {
  return Object.values(OIDC_COOKIES).map(({ name }) => clearCookie(name));
}
