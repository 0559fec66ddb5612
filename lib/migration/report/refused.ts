import { SalesforceError } from "@/lib/salesforce/errors";

/**
 * Null in place of a query that the source refuses: for want of permissions (INVALID_TYPE, INSUFFICIENT_ACCESS), because an org lacks the
 * feature (INVALID_FIELD), or because it takes too long. What is no refusal of this very question stays an error.
 */
export function nullWhenRefused(error: unknown): null {
  const refused =
    error instanceof SalesforceError && (error.code === "source_access_denied" || (error.code === "source_error" && isRefusal(error.status)));
  if (refused) return null;
  throw error;
}

function isRefusal(status: number | null): boolean {
  return status === 400 || status === 403 || status === 404;
}
