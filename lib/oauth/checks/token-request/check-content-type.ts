import type { TokenRequestCheck } from "@/lib/oauth/checks/token-request/token-request-check";
import { OAuthError } from "@/lib/oauth/oauth-error";

/** Parameters come as a form in the body (RFC 6749 §4.1.3, appendix B). */
export const checkContentType: TokenRequestCheck = ({ contentType }) => {
  const mediaType = contentType?.split(";")[0]?.trim().toLowerCase();
  if (mediaType !== "application/x-www-form-urlencoded") {
    throw new OAuthError("invalid_request", "Send the parameters as application/x-www-form-urlencoded.");
  }
};
