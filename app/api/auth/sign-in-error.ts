import { isOidcError, OIDC_SENTENCES } from "@/app/api/auth/oidc-error";
import { formatWait } from "@/lib/security/throttle";
import { oidcProvider } from "@/lib/sessions/openid/provider";

/**
 * Errors as next-auth passes them to the sign-in page, in its `error` parameter. Its code for wrong credentials is
 * CredentialsSignin.
 */
export const UNAVAILABLE = "Unavailable";

export function throttledError(retryAfter: number): string {
  return `throttled:${retryAfter}`;
}

/** The sentence for an `error` parameter. Anybody can write one, so unknown values get a general sentence. */
export function signInErrorSentence(error: string): string {
  const [, seconds] = /^throttled:(\d{1,6})$/.exec(error) ?? [];
  if (seconds !== undefined) return `Too many attempts to sign in. Try again ${formatWait(Number(seconds))}.`;
  if (error === "CredentialsSignin")
    return "This e-mail address and password do not belong together. Check both and try again.";
  const provider = oidcProvider();
  if (provider && isOidcError(error)) return OIDC_SENTENCES[error](provider.name);
  return "The sign-in failed for a reason on our side. Try again; if it keeps failing, tell whoever runs this service.";
}
