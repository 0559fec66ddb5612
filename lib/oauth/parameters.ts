import { OAuthError } from "@/lib/oauth/oauth-error";

/** Request parameters, form-encoded in a query or a body. */
export interface OAuthParameters {
  /** The value. An absent and an empty parameter are the same (RFC 6749 §3.1): undefined. */
  get(name: string): string | undefined;
  getAll(name: string): string[];
  isRepeated(name: string): boolean;
}

/** Reads `a=1&b=2`, with or without a leading question mark. */
export function readOAuthParameters(encoded: string): OAuthParameters {
  const parameters = new URLSearchParams(encoded);
  return {
    get: (name) => parameters.get(name) || undefined,
    getAll: (name) => parameters.getAll(name).filter(Boolean),
    isRepeated: (name) => parameters.getAll(name).length > 1,
  };
}

/**
 * Throws `invalid_request` if one of `names` is given more than once (RFC 6749 §3.1 and §3.2). `resource` may be
 * repeated (RFC 8707 §2).
 */
export function assertNotRepeated(parameters: OAuthParameters, names: readonly string[]): void {
  const repeated = names.find((name) => parameters.isRepeated(name));
  if (repeated) throw new OAuthError("invalid_request", `${repeated} is included more than once.`);
}

export const CLIENT_ID_PATTERN = /^crm_[0-9a-f]{24}$/;
