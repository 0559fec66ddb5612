/** Error codes of RFC 6749 §4.1.2.1 and §5.2, and of RFC 8707 §2. */
export type OAuthErrorCode =
  | "invalid_request"
  | "invalid_client"
  | "invalid_grant"
  | "unauthorized_client"
  | "unsupported_grant_type"
  | "unsupported_response_type"
  | "invalid_scope"
  | "invalid_target"
  | "access_denied"
  | "server_error"
  | "temporarily_unavailable";

/**
 * A refusal that goes to the client: by a redirect from the authorization endpoint, or as JSON from the token endpoint.
 */
export class OAuthError extends Error {
  override readonly name = "OAuthError";
  readonly code: OAuthErrorCode;
  /** Seconds to wait before a retry. */
  readonly retryAfter: number | undefined;

  constructor(code: OAuthErrorCode, description: string, retryAfter?: number) {
    super(printable(description));
    this.code = code;
    this.retryAfter = retryAfter;
  }
}

/** RFC 6749 §5.2: descriptions are printable ASCII without the quotation mark and the backslash. */
function printable(description: string): string {
  return description.replaceAll(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, "?");
}
