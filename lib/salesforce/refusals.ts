import { SalesforceError } from "@/lib/salesforce/errors";

/**
 * Null in place of an answer that the source refuses: for want of permissions (INVALID_TYPE, INSUFFICIENT_ACCESS,
 * NOT_FOUND), because an org lacks the feature (INVALID_FIELD), or because it takes too long. What is no refusal of
 * this very question stays an error.
 */
export function nullWhenRefused(error: unknown): null {
  if (error instanceof SalesforceError && isRefusal(error)) return null;
  throw error;
}

function isRefusal({ code, status }: SalesforceError): boolean {
  return (
    code === "source_access_denied" || (code === "source_error" && (status === 400 || status === 403 || status === 404))
  );
}

const HIDDEN_CODES = new Set(["INVALID_TYPE", "NOT_FOUND", "INVALID_TYPE_FOR_OPERATION"]);

/**
 * Whether an object cannot be read for want of permissions: Salesforce then does not know it (INVALID_TYPE, NOT_FOUND),
 * or refuses.
 */
export function isObjectHidden(error: unknown): boolean {
  if (!(error instanceof SalesforceError) || error.transient || isQueryTooLarge(error)) return false;
  return error.code === "source_access_denied" || HIDDEN_CODES.has(error.errorCode ?? "");
}

const TOO_LARGE_CODES = new Set(["QUERY_TIMEOUT", "OPERATION_TOO_LARGE", "QUERY_TOO_COMPLICATED", "ANSWER_TOO_LARGE"]);

/**
 * Whether a query asked for more than the source does at once, or than is read at once, so that asking for less may
 * succeed.
 */
export function isQueryTooLarge(error: unknown): boolean {
  return error instanceof SalesforceError && TOO_LARGE_CODES.has(error.errorCode ?? "");
}
