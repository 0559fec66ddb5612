import type { CodeCheck } from "@/lib/oauth/checks/code/code-check";
import { OAuthError } from "@/lib/oauth/oauth-error";

/** A redirect URI that an admin took away may be in the wrong hands, and so may what was sent there. */
export const checkCodeRedirectRegistered: CodeCheck = ({ code }) => {
  if (!code.is_redirect_registered) throw new OAuthError("invalid_grant", "The redirect URI of the code is no longer registered for the client.");
};
