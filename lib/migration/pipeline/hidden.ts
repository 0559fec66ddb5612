import { isTooMuch } from "@/lib/migration/pipeline/too-much";
import { SalesforceError } from "@/lib/salesforce/errors";

const UNKNOWN = new Set(["INVALID_TYPE", "NOT_FOUND", "INVALID_TYPE_FOR_OPERATION"]);

/** Whether an object cannot be read for want of permissions: Salesforce then does not know it (INVALID_TYPE, NOT_FOUND), or refuses. */
export function isHidden(error: unknown): boolean {
  if (!(error instanceof SalesforceError) || error.transient || isTooMuch(error)) return false;
  return error.code === "source_access_denied" || UNKNOWN.has(error.errorCode ?? "");
}
