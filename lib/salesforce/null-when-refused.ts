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
