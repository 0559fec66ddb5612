import { OAuthError } from "@/lib/oauth/oauth-error";
import type { Parameters } from "@/lib/oauth/parameters";

/** Request parameters must not be included more than once (RFC 6749 §3.1 and §3.2). `resource` may be (RFC 8707 §2). */
export function refuseRepeated(parameters: Parameters, names: readonly string[]): void {
  const repeated = names.find((name) => parameters.isRepeated(name));
  if (repeated) throw new OAuthError("invalid_request", `${repeated} is included more than once.`);
}
