import type { User } from "next-auth";

import { oidcError } from "@/app/api/auth/oidc-error";
import { checkOidcSignIn } from "@/lib/sessions/check-oidc-sign-in";
import { readOidcIdentity } from "@/lib/sessions/oidc-identity";
import type { OidcProvider } from "@/lib/sessions/oidc-provider";
import { startSession } from "@/lib/sessions/start-session";

interface ProviderSignIn {
  provider: OidcProvider;
  address: string;
  /** What next-auth will put into its token: becomes the session. */
  user: Pick<User, "id">;
  /** Of the verified ID token. */
  claims: unknown;
}

/** Starts the session of whom the provider has vouched for, and answers next-auth's `signIn` callback: true, or where a refusal leads. */
export async function signInThroughProvider({ provider, address, user, claims }: ProviderSignIn): Promise<true | string> {
  const identity = readOidcIdentity(provider.issuer, claims);
  const check = await checkOidcSignIn({ identity, emailDomains: provider.emailDomains, address });
  if (check.outcome === "refused") return `/sign-in?error=${oidcError(check.reason)}`;
  // As with a password, the "user" that next-auth passes on is the session.
  user.id = await startSession(check.session);
  return true;
}
