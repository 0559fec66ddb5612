import type { AuthorizationCheck } from "@/lib/oauth/checks/authorization/authorization-check";
import { OAuthError } from "@/lib/oauth/oauth-error";
import type { Parameters } from "@/lib/oauth/parameters";

/** A state goes back as it came (RFC 6749 §4.1.2). What is no UTF-8 cannot: it has been replaced by U+FFFD before it reaches us. */
export const checkState: AuthorizationCheck = (parameters) => {
  if (parameters.get("state")?.includes("\uFFFD")) throw new OAuthError("invalid_request", "state must be UTF-8.");
};

/** The state to return, or undefined when none was sent or what was sent cannot be returned exactly. */
export function returnableState(parameters: Parameters): string | undefined {
  const state = parameters.get("state");
  return parameters.isRepeated("state") || state?.includes("\uFFFD") ? undefined : state;
}
