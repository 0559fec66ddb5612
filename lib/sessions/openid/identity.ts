import { z } from "zod";

import { withoutInvisibleCharacters } from "@/lib/input/invisible-characters";
import { email as emailAddress } from "@/lib/sessions/people/person";

/** OpenID Connect Core 1.0 §2: at most 255 ASCII characters, case sensitive. */
const subject = z.string().regex(/^[\x21-\x7e]{1,255}$/, "The provider's `sub` is not one to 255 ASCII characters.");

const claims = z.object({
  sub: subject,
  email: emailAddress.nullable().catch(null),
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
