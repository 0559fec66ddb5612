import type { CodeCheck } from "@/lib/oauth/checks/code/code-check";
import { OAuthError } from "@/lib/oauth/oauth-error";

/** Who allowed it can still do what was allowed. */
export const checkCodeUser: CodeCheck = ({ code }) => {
  if (!code.is_user_active) throw new OAuthError("invalid_grant", "The user who allowed this has no access any more.");
};
