import type { User } from "next-auth";

import { oidcError } from "@/app/api/auth/oidc-error";
import { startSession, type Visit } from "@/lib/sessions/browser-sessions/session-store";
import { readOidcIdentity, type OidcProvider } from "@/lib/sessions/openid/provider";
import { checkOidcSignIn } from "@/lib/sessions/openid/sign-in";

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
export async function signInThroughProvider({ provider, visit, user, claims }: ProviderSignIn): Promise<true | string> {
  const identity = readOidcIdentity(provider.issuer, claims);
  const check = await checkOidcSignIn({ identity, emailDomains: provider.emailDomains, visit });
  if (check.outcome === "refused") return `/sign-in?error=${oidcError(check.reason)}`;
  // As with a password, the "user" that next-auth passes on is the session.
  const id = await startSession(check.session);
  if (id === null) return `/sign-in?error=${oidcError("disabled")}`;
  user.id = id;
  return true;
}
