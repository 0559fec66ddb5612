import { env } from "@/lib/env";
import type { OAuthError } from "@/lib/oauth/oauth-error";
import { withParameters } from "@/lib/oauth/redirect-uri";

const ISSUER = encodeURIComponent(env.APP_URL);

interface ReturnAddress {
  redirectUri: string;
  /** Percent-encoded. */
  state: string | undefined;
}

/** Where the browser goes with a code (RFC 6749 §4.1.2); `iss` is RFC 9207. */
export function codeLocation({ redirectUri, state }: ReturnAddress, code: string): string {
  return withParameters(redirectUri, { code: encodeURIComponent(code), state, iss: ISSUER });
}

/** Where the browser goes with an error (RFC 6749 §4.1.2.1). */
export function errorLocation({ redirectUri, state }: ReturnAddress, error: OAuthError): string {
  return withParameters(redirectUri, { error: error.code, error_description: encodeURIComponent(error.message), state, iss: ISSUER });
}
