import type { ErrorCode } from "@/lib/errors";
import { SalesforceError } from "@/lib/salesforce/errors";

/**
 * Gives null when the source refuses a question: because the user lacks permissions (INVALID_TYPE, INSUFFICIENT_ACCESS,
 * NOT_FOUND), because the org lacks the feature (INVALID_FIELD), or because the answer takes too long. Throws every
 * other error.
 */
export function nullWhenRefused(error: unknown): null {
  if (error instanceof SalesforceError && isRefusal(error)) return null;
  throw error;
}

/**
 * As {@link nullWhenRefused}, for a question that can stay without an answer: null also when the source fails at it
 * each time that the client asks (UNKNOWN_EXCEPTION), as it does at some aggregates. An org that is not available
 * answers nothing, so that is thrown.
 */
export function nullWhenUnanswered(error: unknown): null {
  return isFault(error) ? null : nullWhenRefused(error);
}

/** Whether Salesforce itself says that it failed. A proxy in between names no code. */
export function isFault(error: unknown): boolean {
  if (!(error instanceof SalesforceError) || error.code !== "source_error" || error.errorCode === null) return false;
  return error.status !== null && error.status >= 500 && error.status !== UNAVAILABLE;
}

const UNAVAILABLE = 503;

/** Whether the user lacks a permission, and not all access: an expired password refuses everything. */
function isDenied({ code, errorCode }: SalesforceError): boolean {
  return code === "source_access_denied" && errorCode !== "INVALID_OPERATION_WITH_EXPIRED_PASSWORD";
}

function isRefusal(error: SalesforceError): boolean {
  const { code, status } = error;
  return isDenied(error) || (code === "source_error" && (status === 400 || status === 403 || status === 404));
}

/** Whether a query was refused as a bad request or for lack of permissions. Narrower than {@link nullWhenRefused}. */
export function isQueryRefused(error: unknown): boolean {
  if (!(error instanceof SalesforceError)) return false;
  return isDenied(error) || (error.status === 400 && !isTokenRefused(error) && !isElsewhere(error));
}

const HIDDEN_CODES = new Set(["INVALID_TYPE", "NOT_FOUND", "INVALID_TYPE_FOR_OPERATION"]);

/**
 * Whether the user lacks the permission to read an object. Salesforce then refuses, or does not know the object
 * (INVALID_TYPE, NOT_FOUND).
 */
export function isObjectHidden(error: unknown): boolean {
  if (!(error instanceof SalesforceError) || error.transient || isQueryTooLarge(error)) return false;
  return isDenied(error) || HIDDEN_CODES.has(error.errorCode ?? "");
}

/** Whether another access may help. */
export function isTokenRefused(error: unknown): error is SalesforceError {
  return error instanceof SalesforceError && (error.status === 401 || error.code === "source_token_refused");
}

/** Whether a refresh was refused for the user, the app or its address: another access would be refused as well. */
export function isRefreshDenied(error: unknown): boolean {
  const cause = error instanceof SalesforceError && error.code === "source_token_refused" ? error.cause : null;
  return cause instanceof SalesforceError && isDenied(cause);
}

/**
 * Whether a host answers that the org is at another one: it redirects, as the former My Domain of an org does, or knows
 * the token as one for another host (URL_NOT_RESET).
 */
export function isElsewhere({ status, errorCode }: Pick<SalesforceError, "status" | "errorCode">): boolean {
  return errorCode === "URL_NOT_RESET" || (status !== null && status >= 300 && status < 400);
}

/** The error for an org that is no longer at the address that it was connected with. */
export function orgMoved({ status, errorCode }: Pick<SalesforceError, "status" | "errorCode">): SalesforceError {
  return new SalesforceError(
    "source_token_refused",
    "The Salesforce org has another address now. Connect it again, at the one that Setup › My Domain shows.",
    { status, errorCode },
  );
}

/** Whether the request line and headers were too long. A body may be longer. */
export function isRequestTooLong(error: unknown): boolean {
  return error instanceof SalesforceError && (error.status === 414 || error.status === 431);
}

/**
 * Whether a single content is refused, and will be again: it was deleted meanwhile, is hidden from the user, is blocked
 * by the org (CONTENT_CUSTOMIZED_DOWNLOAD_EXCEPTION), does not exist, as that of a link, or Salesforce fails at it each
 * time that the client asks (UNKNOWN_EXCEPTION). The others may be readable.
 */
export function isContentRefused(error: unknown): error is SalesforceError {
  if (!(error instanceof SalesforceError)) return false;
  return isFault(error) || (!error.transient && (isRefusal(error) || error.status === 404));
}

const OF_CONTENT = new Set<ErrorCode>(["source_error", "source_unreachable", "source_not_salesforce"]);

/** Whether an error may be that of a single content, and not of the whole org or its user. */
export function mayBeOfContent(error: unknown): error is SalesforceError {
  return error instanceof SalesforceError && OF_CONTENT.has(error.code);
}

/** The same error, whose sentence begins with what it is about. */
export function naming(subject: string, error: SalesforceError): SalesforceError {
  const { code, message, status, errorCode, transient, retryAfter } = error;
  const options = { status, errorCode, transient, ...(retryAfter !== undefined && { retryAfter }), cause: error };
  return new SalesforceError(code, `${subject}: ${message}`, options);
}

/** Whether a query names a field that the user may not read: Salesforce then does not know the field. */
export function isFieldHidden(error: unknown): boolean {
  return error instanceof SalesforceError && error.errorCode === "INVALID_FIELD";
}

const TOO_LARGE_CODES = new Set(["QUERY_TIMEOUT", "OPERATION_TOO_LARGE", "QUERY_TOO_COMPLICATED", "ANSWER_TOO_LARGE"]);

/** Whether a query asked for more than the source handles, or than we read, at once. Asking for less may succeed. */
export function isQueryTooLarge(error: unknown): boolean {
  return error instanceof SalesforceError && TOO_LARGE_CODES.has(error.errorCode ?? "");
}
