import type { CodeCheck } from "@/lib/oauth/checks/code/code-check";
import { OAuthError } from "@/lib/oauth/oauth-error";

/** The redirect URI is the one of the authorization request, where we require it (RFC 6749 §4.1.3). */
export const checkCodeRedirectUri: CodeCheck = ({ code, parameters }) => {
  const redirectUri = parameters.get("redirect_uri");
  if (!redirectUri) throw new OAuthError("invalid_request", "redirect_uri is missing; send the one of the authorization request.");
  if (redirectUri !== code.redirect_uri) throw new OAuthError("invalid_grant", "redirect_uri is not the one of the authorization request.");
};
