import { AppError, type ErrorCode } from "@/lib/errors";
import type { Failure } from "@/lib/migration/state";
import { SalesforceError } from "@/lib/salesforce/errors";

const AGAIN = "Then run the migration again: what has been imported stays, and nothing is imported twice.";

const REMEDIES: Partial<Record<ErrorCode, string>> = {
  source_token_refused: `Connect to the Salesforce org again, with a new access token or with OAuth. ${AGAIN}`,
  source_unreachable: `Check that the Salesforce org can be reached from this service. ${AGAIN}`,
  source_api_disabled: `Let an administrator of the Salesforce org enable the API for its user. ${AGAIN}`,
  source_access_denied: `Let an administrator of the Salesforce org give its user access. ${AGAIN}`,
  source_limit_exceeded: `Wait until the Salesforce org has API requests left. ${AGAIN}`,
  invalid_request: `Change the configuration of the migration. ${AGAIN}`,
};

/** The sentence that a user reads when a run ends in `failed`: what happened, and how to go on. Defects are not described. */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof AppError)) {
    return { code: "internal_error", detail: "The migration stopped because of a defect on our side.", remedy: `Tell us the migration_id. ${AGAIN}` };
  }
  return { code: error.code, detail: error.message, remedy: REMEDIES[error.code] ?? `Mend what the Salesforce org answers. ${AGAIN}` };
}

/** Whether the same work may succeed later by itself: a busy or unreachable source, a database or network that is away for a moment. */
export function isPassing(error: unknown): boolean {
  if (error instanceof SalesforceError) return error.transient;
  if (error instanceof AppError) return false;
  return error instanceof Error && "code" in error && typeof error.code === "string";
}
