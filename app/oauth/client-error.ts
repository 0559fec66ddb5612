import { AppError } from "@/lib/errors";
import { log } from "@/lib/log";
import { OAuthError, type OAuthErrorCode } from "@/lib/oauth/oauth-error";

/** RFC 6749 §5.2: 400 unless said otherwise. */
const STATUSES: Partial<Record<OAuthErrorCode, number>> = { invalid_client: 401, server_error: 500, temporarily_unavailable: 429 };

/** What the token and revocation endpoints answer for whatever was thrown. `triedHeader`: the client sent an Authorization header. */
export function clientError(thrown: unknown, triedHeader: boolean, headers: HeadersInit): Response {
  const error = asOAuthError(thrown);
  const answer = new Headers(headers);
  // A challenge is due for the header alone; clients that see one ignore the JSON.
  if (error.code === "invalid_client" && triedHeader) answer.set("www-authenticate", 'Basic realm="oauth", charset="UTF-8"');
  if (error.retryAfter !== undefined) answer.set("retry-after", String(error.retryAfter));
  return Response.json({ error: error.code, error_description: error.message }, { status: STATUSES[error.code] ?? 400, headers: answer });
}

function asOAuthError(thrown: unknown): OAuthError {
  if (thrown instanceof OAuthError) return thrown;
  if (thrown instanceof AppError) return new OAuthError("invalid_request", thrown.message);
  log.error({ err: thrown }, "a client's request failed");
  return new OAuthError("server_error", "The request failed because of a defect on our side.");
}
