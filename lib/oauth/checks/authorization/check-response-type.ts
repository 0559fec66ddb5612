import type { AuthorizationCheck } from "@/lib/oauth/checks/authorization/authorization-check";
import { OAuthError } from "@/lib/oauth/oauth-error";

/** Only the authorization code is given out (RFC 6749 §4.1.1). */
export const checkResponseType: AuthorizationCheck = (parameters) => {
  const responseType = parameters.get("response_type");
  if (!responseType) throw new OAuthError("invalid_request", "response_type is missing; it must be code.");
  if (responseType !== "code") throw new OAuthError("unsupported_response_type", "response_type must be code.");
};
