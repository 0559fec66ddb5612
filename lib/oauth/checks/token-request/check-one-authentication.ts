import type { TokenRequestCheck } from "@/lib/oauth/checks/token-request/token-request-check";
import { OAuthError } from "@/lib/oauth/oauth-error";

/** A client must not use more than one way of authenticating in a request (RFC 6749 §2.3). */
export const checkOneAuthentication: TokenRequestCheck = ({ authorization, body }) => {
  if (authorization !== null && body.get("client_secret") !== undefined) {
    throw new OAuthError("invalid_request", "Send the client secret in the Authorization header or in the body, not in both.");
  }
};
