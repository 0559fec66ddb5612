import { contention, logUnavailability, unavailability } from "@/lib/unavailable";
import { env } from "@/lib/env";
import { AppError, type ErrorCode } from "@/lib/errors";
import { REQUEST_ID } from "@/lib/http/request";
import { log } from "@/lib/log";

/** The only mapping of errors to HTTP. */
export const PROBLEMS: Record<ErrorCode, { status: number; title: string }> = {
  invalid_request: { status: 400, title: "The request is not valid" },
  invalid_parameter: { status: 400, title: "A parameter is not valid" },
  unknown_parameter: { status: 400, title: "A parameter is not known" },
  invalid_cursor: { status: 400, title: "The cursor is not valid" },
  invalid_body: { status: 400, title: "The body is not valid JSON" },
  unauthenticated: { status: 401, title: "Sign in or send a valid access token" },
  insufficient_scope: { status: 403, title: "The access token lacks a scope" },
  forbidden: { status: 403, title: "This is not allowed" },
  not_found: { status: 404, title: "Not found" },
  method_not_allowed: { status: 405, title: "The method is not allowed here" },
  unsupported_media_type: { status: 415, title: "The body must be JSON" },
  payload_too_large: { status: 413, title: "The body is too large" },
  conflict: { status: 409, title: "The request conflicts with what is there" },
  idempotency_key_in_use: { status: 409, title: "The same request is still being carried out" },
  idempotency_key_reused: { status: 422, title: "The idempotency key has been used" },
  precondition_failed: { status: 412, title: "The record is not as the request expects it" },
  illegal_state: { status: 409, title: "The state does not allow this" },
  storage_quota_exceeded: { status: 403, title: "The organization's storage is full" },
  too_many_requests: { status: 429, title: "Too many requests" },
  source_url_invalid: { status: 422, title: "The address is not valid" },
  source_not_salesforce: { status: 422, title: "The address is no Salesforce org" },
  source_unreachable: { status: 422, title: "The Salesforce org cannot be reached" },
  source_token_refused: { status: 422, title: "Salesforce refused the access token" },
  source_api_disabled: { status: 422, title: "The API is disabled in the Salesforce org" },
  source_access_denied: { status: 422, title: "The Salesforce user lacks access" },
  source_limit_exceeded: { status: 422, title: "The Salesforce org's API limit is used up" },
  source_sign_in_not_set_up: { status: 422, title: "Signing in at Salesforce is not set up" },
  source_error: { status: 422, title: "Salesforce answered with an error" },
  service_unavailable: { status: 503, title: "The service is unavailable at the moment" },
  internal_error: { status: 500, title: "Something went wrong on our side" },
};

/** The `type` of a problem (RFC 9457 §3.1.1): the address of the page that explains its code. */
export function problemType(code: ErrorCode): string {
  return `${env.APP_URL}/docs/errors/${code}`;
}

/**
 * Turns anything thrown into an RFC 9457 `application/problem+json` response. Anything but an AppError is logged, and
 * the response does not describe it, except that the database or the storage of files is unavailable, or that others
 * are changing the same.
 */
export function problemResponse(thrown: unknown, requestId: string, headers: HeadersInit = {}): Response {
  const error = thrown instanceof AppError ? thrown : judged(thrown);
  const { status, title } = PROBLEMS[error.code];
  if (status >= 500) logFailure(error, requestId);
  const answer = new Headers(headers);
  answer.set("content-type", "application/problem+json");
  answer.set("cache-control", "no-store");
  answer.set(REQUEST_ID, requestId);
  for (const [name, value] of Object.entries(error.headers)) answer.set(name, value);
  if (error.retryAfter !== undefined) answer.set("retry-after", String(error.retryAfter));
  const body = {
    type: problemType(error.code),
    title,
    status,
    detail: error.message,
    code: error.code,
    request_id: requestId,
    ...(error.errors.length > 0 && { errors: error.errors }),
    ...(error.records && { records: error.records }),
    ...(error.deletion && { deletion: error.deletion }),
  };
  return new Response(JSON.stringify(body), { status, headers: answer });
}

function logFailure(error: AppError, request_id: string): void {
  if (error.code === "service_unavailable") logUnavailability(error, { request_id });
  else log.error({ request_id, err: error.cause }, "request failed");
}

function judged(thrown: unknown): AppError {
  return unavailability(thrown) ?? contention(thrown) ?? defect(thrown);
}

function defect(cause: unknown): AppError {
  const detail = "The request failed because of a defect. Tell whoever runs this service the `request_id`.";
  return new AppError("internal_error", detail, { cause });
}
