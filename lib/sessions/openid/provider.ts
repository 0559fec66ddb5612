import { z } from "zod";

import { env } from "@/lib/env";
import { networkOf, countAttempt, undoAttempt, type Throttle } from "@/lib/security/throttle";
import { withoutInvisibleCharacters } from "@/lib/input/invisible-characters";
import { newEmail } from "@/lib/sessions/people/person";

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

/** OpenID Connect Core 1.0 §2: at most 255 ASCII characters, case sensitive. */
const subject = z.string().regex(/^[\x21-\x7e]{1,255}$/, "The provider's `sub` is not one to 255 ASCII characters.");

const claims = z.object({
  sub: subject,
  email: newEmail.nullable().catch(null),
  // A boolean (OpenID Connect Core 1.0 §5.1). Anything else, such as the text "false", is ignored.
  email_verified: z.literal(true).optional().catch(undefined),
  name: z.string().catch(""),
});

/** A person as the provider knows them. */
export interface OidcIdentity {
  issuer: string;
  /** Identifies the person for good: the issuer never reuses it. */
  subject: string;
  /** As returned by `normalizeEmail`; null if the provider sends none, or one that no user can have. */
  email: string | null;
  /** The provider asserts that the person can read mail sent there. */
  isEmailVerified: boolean;
  name: string;
}

/** Reads the claims of a verified ID token. Throws if they do not say who it is. */
export function readOidcIdentity(issuer: string, given: unknown): OidcIdentity {
  const { sub, email, email_verified: isVerified, name } = claims.parse(given);
  return {
    issuer,
    subject: sub,
    email,
    isEmailVerified: isVerified === true,
    name: withoutInvisibleCharacters(name).slice(0, 200) || (email?.split("@")[0] ?? ""),
  };
}
