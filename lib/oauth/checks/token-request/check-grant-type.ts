import type { TokenRequestCheck } from "@/lib/oauth/checks/token-request/token-request-check";
import { OAuthError } from "@/lib/oauth/oauth-error";

/** The authorization code is the only grant there is (RFC 6749 §4.1.3 and §5.2). */
export const checkGrantType: TokenRequestCheck = ({ body }) => {
  const grantType = body.get("grant_type");
  if (!grantType) throw new OAuthError("invalid_request", "grant_type is missing; it must be authorization_code.");
  if (grantType !== "authorization_code") throw new OAuthError("unsupported_grant_type", "grant_type must be authorization_code.");
};
