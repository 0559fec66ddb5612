import type { PoolClient } from "pg";

import { transaction } from "@/lib/database/db";
import { postgresCode } from "@/lib/database/error-codes";
import { AppError } from "@/lib/errors";

/**
 * PostgreSQL rolled the transaction back in favor of another one: serialization_failure, deadlock_detected (appendix A,
 * class 40).
 */
const RETRYABLE = new Set<string | undefined>(["40001", "40P01"]);

/** Another transaction held a lock for longer than `lock_timeout`: lock_not_available. */
const LOCK_NOT_AVAILABLE = "55P03";

/**
 * With each failed attempt another transaction succeeded. Only many writers that all wait for each other could need so
 * many.
 */
const MAX_ATTEMPTS = 10;

/**
 * A transaction that is repeated when PostgreSQL rolls it back in favor of another one. Everything that writes records
 * uses it: two writes of the same records, or of references to them, can lock in different orders, and no order of ours
 * rules that out (inserts and foreign keys lock too). `work` may run several times, so it must change nothing but the
 * database. Throws `too_many_requests` when no attempt succeeded, or a lock was not available.
 */
export async function retriedTransaction<Result>(work: (client: PoolClient) => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await transaction(work);
    } catch (error) {
      const code = postgresCode(error);
      if (code === LOCK_NOT_AVAILABLE || (attempt === MAX_ATTEMPTS && RETRYABLE.has(code))) throw tooManyWriters(error);
      if (!RETRYABLE.has(code)) throw error;
    }
  }
}

function tooManyWriters(cause: unknown): AppError {
  const detail =
    "Too many requests are changing these records at the moment. This one changed nothing; try again in 1 second.";
  return new AppError("too_many_requests", detail, { retryAfter: 1, cause });
}
