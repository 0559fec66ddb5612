import { SalesforceError } from "@/lib/salesforce/errors";

/** Whether an object cannot be read for want of permissions: a query then does not know it (INVALID_TYPE), or is refused. */
export function isHidden(error: unknown): boolean {
  return error instanceof SalesforceError && (error.code === "source_access_denied" || (error.code === "source_error" && error.status === 400));
}
