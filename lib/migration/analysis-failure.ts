import { pool } from "@/lib/db";
import { AppError, type ErrorCode } from "@/lib/errors";
import { log } from "@/lib/log";
import { type Failure, type MigrationKey, moveState } from "@/lib/migration/state";

const AGAIN = "Then analyze the Salesforce org again.";

const REMEDIES: Partial<Record<ErrorCode, string>> = {
  source_token_refused: "Connect to the Salesforce org again, with a new access token or with OAuth.",
  source_unreachable: `Check that the Salesforce org can be reached from this service. ${AGAIN}`,
  source_api_disabled: `Let an administrator of the Salesforce org enable the API for its user. ${AGAIN}`,
  source_access_denied: `Let an administrator of the Salesforce org give its user access. ${AGAIN}`,
  source_limit_exceeded: `Wait until the Salesforce org has API requests left. ${AGAIN}`,
};

function failureOf(error: unknown): Failure {
  if (error instanceof AppError) return { code: error.code, detail: error.message, remedy: REMEDIES[error.code] ?? AGAIN };
  return { code: "internal_error", detail: "The analysis stopped because of a defect on our side.", remedy: `Tell us the migration_id. ${AGAIN}` };
}

/** Ends an analysis in `analysis_failed`, with the sentence that says why. Nothing happens once it is over. */
export async function failAnalysis(key: MigrationKey, error: unknown): Promise<void> {
  const failure = failureOf(error);
  log.error({ migration_id: key.migrationId, code: failure.code, err: error }, "analysis failed");
  try {
    await moveState(pool(), key, "analysis_failed", { failure, report: null });
  } catch (refusal) {
    if (!(refusal instanceof AppError)) throw refusal;
  }
}
