import type { CodeCheck } from "@/lib/oauth/checks/code/code-check";
import { OAuthError } from "@/lib/oauth/oauth-error";

/** A code is bound to the client that it was issued to (RFC 6749 §4.1.3). */
export const checkCodeClient: CodeCheck = ({ code, clientId }) => {
  if (code.client_id !== clientId) throw new OAuthError("invalid_grant", "The code was issued to another client.");
};
