import { env } from "@/lib/env";
import { networkOf, countAttempt, undoAttempt, type Throttle } from "@/lib/security/throttle";

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
  const {
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET: clientSecret,
    OIDC_NAME: name,
    OIDC_EMAIL_DOMAINS: emailDomains,
  } = env;
  return issuer && clientId && clientSecret && name ? { issuer, clientId, clientSecret, name, emailDomains } : null;
}

/**
 * Each step asks the provider something, so strangers must not be able to make us ask without end. Wide, since an
 * office shares one address.
 */
const PER_NETWORK: Throttle = { name: "sign-in-oidc", limit: 100, windowSeconds: 15 * 60, isOpen: true };

/** Counts one step, the way there or the way back, and returns the seconds to wait or 0. */
export function countOidcStep(address: string): Promise<number> {
  return countAttempt(PER_NETWORK, networkOf(address));
}

/** Takes back both steps of a sign-in that succeeded. */
export async function takeBackOidcSteps(address: string): Promise<void> {
  await undoAttempt(PER_NETWORK, networkOf(address));
  await undoAttempt(PER_NETWORK, networkOf(address));
}
