import type { OidcRefusal } from "@/lib/sessions/openid/sign-in";

/**
 * Why a sign-in through the provider failed: the provider refused it, we refused it, or something failed on the way.
 */
export type OidcFailure = OidcRefusal | "denied" | "unreachable" | "failed" | "stale";

const ASK = "Ask whoever runs this service.";

/** The sentences for the person; `name` is the name of the provider. */
const SENTENCES: Record<OidcFailure, (name: string) => string> = {
  denied: (name) => `${name} did not let you in, or you cancelled there. Try again, or sign in with your password.`,
  unreachable: (name) =>
    `${name} cannot be reached at the moment. Try again in a minute, or sign in with your password.`,
  failed: (name) =>
    `${name} did not confirm who you are. Try again; if it keeps failing, tell whoever runs this service.`,
  stale: (name) =>
    `This sign-in was begun in another browser, in another tab, or too long ago. Choose “Sign in with ${name}” again.`,
  unknown: (name) =>
    `${name} knows you, but you are not a member here. Ask whoever runs this service to add you with the e-mail ` +
    "address that you have there.",
  unverified: (name) =>
    `${name} has not verified your e-mail address, so we cannot tell who you are here. Verify it there, then try ` +
    "again.",
  disabled: () => `Your user here is disabled. ${ASK}`,
  no_organization: () => `You are no longer a member of an organization here. ${ASK}`,
  linked_elsewhere: (name) =>
    `Your e-mail address belongs to a user here who is linked to another account at ${name}. ${ASK}`,
};

/** The value of the sign-in page's `error` parameter. */
export function oidcError(failure: OidcFailure): string {
  return `oidc_${failure}`;
}

/** The sentences, by `error` parameter. */
export const OIDC_SENTENCES = new Map(
  Object.entries(SENTENCES).map(([failure, sentence]) => [`oidc_${failure}`, sentence]),
);
