import type { TokenRequestCheck } from "@/lib/oauth/checks/token-request/token-request-check";
import { OAuthError } from "@/lib/oauth/oauth-error";

const BODY_ONLY = ["client_id", "client_secret", "code", "code_verifier", "grant_type", "redirect_uri", "resource", "token"];

/** Credentials must not be included in the request URI, where logs would keep them (RFC 6749 §2.3.1). */
export const checkQuery: TokenRequestCheck = ({ query }) => {
  const misplaced = BODY_ONLY.find((name) => query.getAll(name).length > 0);
  if (misplaced) throw new OAuthError("invalid_request", `${misplaced} belongs in the body, not in the URL.`);
};
