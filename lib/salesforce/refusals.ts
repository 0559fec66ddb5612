import { SalesforceError } from "@/lib/salesforce/errors";

/**
 * Null in place of an answer that the source refuses: for want of permissions (INVALID_TYPE, INSUFFICIENT_ACCESS, NOT_FOUND), because an org
 * lacks the feature (INVALID_FIELD), or because it takes too long. What is no refusal of this very question stays an error.
 */
export function nullWhenRefused(error: unknown): null {
  if (error instanceof SalesforceError && isRefusal(error)) return null;
  throw error;
}

function isRefusal({ code, status }: SalesforceError): boolean {
  return code === "source_access_denied" || (code === "source_error" && (status === 400 || status === 403 || status === 404));
}

const UNKNOWN = new Set(["INVALID_TYPE", "NOT_FOUND", "INVALID_TYPE_FOR_OPERATION"]);

/** Whether an object cannot be read for want of permissions: Salesforce then does not know it (INVALID_TYPE, NOT_FOUND), or refuses. */
export function isHidden(error: unknown): boolean {
  if (!(error instanceof SalesforceError) || error.transient || isTooMuch(error)) return false;
  return error.code === "source_access_denied" || UNKNOWN.has(error.errorCode ?? "");
}

const CODES = new Set(["QUERY_TIMEOUT", "OPERATION_TOO_LARGE", "QUERY_TOO_COMPLICATED", "ANSWER_TOO_LARGE"]);

/** Whether a query asked for more than the source does at once, or than is read at once, so that asking for less may succeed. */
export function isTooMuch(error: unknown): boolean {
  return error instanceof SalesforceError && CODES.has(error.errorCode ?? "");
}
