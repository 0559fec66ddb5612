import type { AuthorizationCheck } from "@/lib/oauth/checks/authorization/authorization-check";
import { OAuthError } from "@/lib/oauth/oauth-error";

/** A client that counts on another way to get its answer must not be answered in the query (OAuth 2.0 Multiple Response Types §2.1). */
export const checkResponseMode: AuthorizationCheck = (parameters) => {
  const mode = parameters.get("response_mode");
  if (mode && mode !== "query") throw new OAuthError("invalid_request", "response_mode must be query or absent.");
};
