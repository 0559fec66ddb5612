import { env } from "@/lib/env";
import type { OAuthError } from "@/lib/oauth/oauth-error";

interface ReturnAddress {
  redirectUri: string;
  state: string | undefined;
}

/** Where the browser goes with a code (RFC 6749 §4.1.2); `iss` is RFC 9207. */
export function codeLocation({ redirectUri, state }: ReturnAddress, code: string): string {
  return withParameters(redirectUri, { code, state, iss: env.APP_URL });
}

/** Where the browser goes with an error (RFC 6749 §4.1.2.1). */
export function errorLocation({ redirectUri, state }: ReturnAddress, error: OAuthError): string {
  return withParameters(redirectUri, { error: error.code, error_description: error.message, state, iss: env.APP_URL });
}

/**
 * A redirect URI with parameters added to its query, which stays unchanged (RFC 6749 §3.1.2). Spaces become %20, which
 * form decoders and URI decoders read alike.
 */
export function withParameters(uri: string, parameters: Record<string, string | undefined>): string {
  const added = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  const joint = uri.includes("?") ? (/[?&]$/.test(uri) ? "" : "&") : "?";
  return `${uri}${joint}${added.join("&")}`;
}
