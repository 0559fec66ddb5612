import type { AuthorizationCheck } from "@/lib/oauth/checks/authorization/authorization-check";
import { OAuthError } from "@/lib/oauth/oauth-error";

/** A SHA-256 digest in base64url without padding (RFC 7636 §4.2). */
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

/** PKCE is mandatory (RFC 9700 §2.1.1; RFC 7636 §4.4.1). */
export const checkCodeChallenge: AuthorizationCheck = (parameters) => {
  const challenge = parameters.get("code_challenge");
  if (!challenge) throw new OAuthError("invalid_request", "code_challenge is missing; PKCE is required.");
  if (!CHALLENGE.test(challenge)) throw new OAuthError("invalid_request", "code_challenge must be a base64url SHA-256 digest of 43 characters.");
};
