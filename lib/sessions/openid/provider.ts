import { env } from "@/lib/env";
import { networkOf, countAttempt, undoAttempt, type Throttle } from "@/lib/security/throttle";

/** The OpenID provider from the settings. */
export interface OidcProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Its name on our pages. */
  name: string;
  /** People with an e-mail in one of these domains become members at their first sign-in. Lower case. */
  emailDomains: readonly string[];
}

/** The configured provider, or null if people sign in by password alone. */
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
 * Each step makes us send the provider a request, so strangers must not be able to cause any number of steps. The limit
 * is high, since a whole office can share one address.
 */
const PER_NETWORK: Throttle = { name: "sign-in-oidc", limit: 100, windowSeconds: 15 * 60, isOpen: true };

/** Counts one step, the way to the provider or the way back, and returns the seconds to wait, or 0. */
export function countOidcStep(address: string): Promise<number> {
  return countAttempt(PER_NETWORK, networkOf(address));
}

/** Takes back both steps of a successful sign-in. */
export async function takeBackOidcSteps(address: string): Promise<void> {
  await undoAttempt(PER_NETWORK, networkOf(address));
  await undoAttempt(PER_NETWORK, networkOf(address));
}
