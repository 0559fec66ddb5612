import type { OidcRefusal } from "@/lib/sessions/openid/sign-in";

/**
 * Why a sign-in through the provider failed: the provider refused it, we refused it, or something failed on the way.
 */
export type OidcFailure = OidcRefusal | "denied" | "unreachable" | "failed" | "stale";

const ASK = "Ask whoever runs this service.";

/** The value of the sign-in page's `error` parameter. */
type OidcError = `oidc_${OidcFailure}`;

export function oidcError(failure: OidcFailure): OidcError {
  return `oidc_${failure}`;
}

/** The sentences for the person; `name` is the name of the provider. */
export const OIDC_SENTENCES: Record<OidcError, (name: string) => string> = {
  oidc_denied: (name) =>
    `${name} did not let you in, or you cancelled there. Try again, or sign in with your password.`,
  oidc_unreachable: (name) =>
    `${name} cannot be reached at the moment. Try again in a minute, or sign in with your password.`,
  oidc_failed: (name) =>
    `${name} did not confirm who you are. Try again; if it keeps failing, tell whoever runs this service.`,
  oidc_stale: (name) =>
    `This sign-in was begun in another browser, in another tab, or too long ago. Choose “Sign in with ${name}” again.`,
  oidc_unknown: (name) =>
    `${name} knows you, but you are not a member here. Ask whoever runs this service to add you with the e-mail ` +
    "address that you have there.",
  oidc_unverified: (name) =>
    `${name} has not verified your e-mail address, so we cannot tell who you are here. Verify it there, then try ` +
    "again.",
  oidc_disabled: () => `Your user here is disabled. ${ASK}`,
  oidc_no_organization: () => `You are no longer a member of an organization here. ${ASK}`,
  oidc_linked_elsewhere: (name) =>
    `Your e-mail address belongs to a user here who is linked to another account at ${name}. ${ASK}`,
};

/** Whether an `error` parameter, which anybody can write, is one of ours. */
export function isOidcError(error: string): error is OidcError {
  return Object.hasOwn(OIDC_SENTENCES, error);
}
