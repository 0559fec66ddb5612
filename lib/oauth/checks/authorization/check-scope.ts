import type { AuthorizationCheck } from "@/lib/oauth/checks/authorization/authorization-check";
import { OAuthError } from "@/lib/oauth/oauth-error";
import { mayAskFor, parseScope } from "@/lib/oauth/scopes";

/** Scopes are known and registered for the client (RFC 6749 §3.3). Absent, they are all that the client was registered with. */
export const checkScope: AuthorizationCheck = (parameters, client) => {
  const parameter = parameters.get("scope");
  if (!parameter) return;
  const scopes = parseScope(parameter);
  if (!scopes) throw new OAuthError("invalid_scope", "scope must be made of crm:read, crm:write and erp:read, with single spaces between.");
  const missing = scopes.find((scope) => !mayAskFor(client.scopes, scope));
  if (missing) throw new OAuthError("invalid_scope", `The client is not registered for ${missing}.`);
};
