import { env } from "@/lib/env";
import type { OAuthError } from "@/lib/oauth/oauth-error";
import { withParameters } from "@/lib/oauth/redirect-uri";

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
