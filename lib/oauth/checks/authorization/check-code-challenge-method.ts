import type { AuthorizationCheck } from "@/lib/oauth/checks/authorization/authorization-check";
import { OAuthError } from "@/lib/oauth/oauth-error";

/** An absent method would mean `plain` (RFC 7636 §4.3), which protects nothing (RFC 9700 §2.1.1). */
export const checkCodeChallengeMethod: AuthorizationCheck = (parameters) => {
  if (parameters.get("code_challenge_method") !== "S256") throw new OAuthError("invalid_request", "code_challenge_method must be S256.");
};
