import { env } from "@/lib/env";

/** The OpenID provider that the settings name. */
export interface OidcProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** What people call it. */
  name: string;
  /** Whose e-mail is of one of these may become a member at the first sign-in. Lower case. */
  emailDomains: readonly string[];
}

/** The configured provider, or null when people sign in by password alone. */
export function oidcProvider(): OidcProvider | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, OIDC_NAME: name, OIDC_EMAIL_DOMAINS: emailDomains } = env;
  return issuer && clientId && clientSecret && name ? { issuer, clientId, clientSecret, name, emailDomains } : null;
}
