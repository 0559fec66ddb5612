import { pool } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { log } from "@/lib/log";
import { failureOf } from "@/lib/migration/failure";
import { type MigrationKey, moveStatus } from "@/lib/migration/status";

/** Ends an analysis in `analysis_failed`, with the sentence that says why. Nothing happens once it is over. */
export async function failAnalysis(key: MigrationKey, error: unknown): Promise<void> {
  const failure = failureOf(error, "analysis");
  log.error({ migration_id: key.migrationId, failure_code: failure.code, err: error }, "analysis failed");
  try {
    await moveStatus(pool(), key, "analysis_failed", { failure, report: null });
  } catch (refusal) {
    if (!(refusal instanceof AppError)) throw refusal;
  }
}
