import type { CodeCheck } from "@/lib/oauth/checks/code/code-check";
import { OAuthError } from "@/lib/oauth/oauth-error";

/** RFC 6749 §4.1.2. */
export const checkCodeExpiry: CodeCheck = ({ code }) => {
  if (code.is_expired) throw new OAuthError("invalid_grant", "The code has expired; codes live for a minute.");
};
