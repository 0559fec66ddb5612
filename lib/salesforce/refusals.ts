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

function isRefusal({ code, status }: SalesforceError): boolean {
  return (
    code === "source_access_denied" || (code === "source_error" && (status === 400 || status === 403 || status === 404))
  );
}

/** Whether a query was refused as a bad request or for lack of permissions. Narrower than {@link nullWhenRefused}. */
export function isQueryRefused(error: unknown): boolean {
  return error instanceof SalesforceError && (error.status === 400 || error.code === "source_access_denied");
}

const HIDDEN_CODES = new Set(["INVALID_TYPE", "NOT_FOUND", "INVALID_TYPE_FOR_OPERATION"]);

/**
 * Whether the user lacks the permission to read an object. Salesforce then refuses, or does not know the object
 * (INVALID_TYPE, NOT_FOUND).
 */
export function isObjectHidden(error: unknown): boolean {
  if (!(error instanceof SalesforceError) || error.transient || isQueryTooLarge(error)) return false;
  return error.code === "source_access_denied" || HIDDEN_CODES.has(error.errorCode ?? "");
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
