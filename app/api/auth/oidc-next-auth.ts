import type { Profile } from "next-auth";
import type { OAuthConfig, TokenEndpointHandler, UserinfoEndpointHandler } from "next-auth/providers/oauth";

import type { OidcProvider } from "@/lib/sessions/openid/provider";

export const OIDC_ID = "oidc";

/** The time limit of each request to the provider. */
const TIMEOUT_MS = 5000;

type Client = Parameters<NonNullable<TokenEndpointHandler["request"]>>[0]["client"];
type VerifiedTokens = Awaited<ReturnType<Client["callback"]>>;

/** The OpenID provider in the form that next-auth takes. */
export function oidcForNextAuth({ issuer, clientId, clientSecret, name }: OidcProvider): OAuthConfig<Profile> {
  return {
    id: OIDC_ID,
    name,
    type: "oauth",
    wellKnown: `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`,
    idToken: true,
    checks: ["pkce", "state", "nonce"],
    clientId,
    clientSecret,
    authorization: { params: { scope: "openid email profile" } },
    token: tokenEndpoint(issuer),
    userinfo: { request: readClaims },
    httpOptions: { timeout: TIMEOUT_MS },
    profile: ({ sub }) => ({ id: sub ?? "" }),
  };
}

/**
 * Sends neither code nor secret to a provider with another issuer (OpenID Connect Discovery 1.0 §4.3); next-auth itself
 * does not check.
 */
function tokenEndpoint(issuer: string): TokenEndpointHandler {
  return {
    async request({ client, provider, params, checks }) {
      const { issuer: found } = client.issuer.metadata;
      if (found !== issuer) throw new Error(`the provider calls itself ${found}, and OIDC_ISSUER is ${issuer}`);
      return { tokens: await client.callback(provider.callbackUrl, params, checks) };
    },
  };
}

/**
 * Providers may omit the e-mail from the ID token if an access token can be used to ask for it (OpenID Connect Core 1.0
 * §5.4). The address and whether it is verified come from the same response.
 */
const readClaims: UserinfoEndpointHandler["request"] = async ({ client, tokens }) => {
  // next-auth passes on the result of `client.callback`, whatever its types say.
  const verified = tokens as unknown as VerifiedTokens;
  const claims = verified.claims();
  const isComplete = claims.email !== undefined && claims.email_verified !== undefined;
  if (isComplete || !client.issuer.metadata.userinfo_endpoint) return claims;
  const { name, email, email_verified } = await client.userinfo(verified);
  return { ...claims, name: claims.name ?? name, email, email_verified };
};
