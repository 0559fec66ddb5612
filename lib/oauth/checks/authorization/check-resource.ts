import type { AuthorizationCheck } from "@/lib/oauth/checks/authorization/authorization-check";
import { OAuthError } from "@/lib/oauth/oauth-error";
import { knownResource } from "@/lib/oauth/protected-resources";

/** Every `resource` is one of ours (RFC 8707 §2). */
export const checkResource: AuthorizationCheck = (parameters) => {
  if (parameters.getAll("resource").some((resource) => !knownResource(resource))) {
    throw new OAuthError("invalid_target", "resource must be the origin of this service, its /api/v1 or its /api/mcp.");
  }
};
