import type { PoolClient } from "pg";

import { transaction } from "@/lib/database/db";
import { postgresCode } from "@/lib/database/error-codes";
import { AppError } from "@/lib/errors";

/**
 * PostgreSQL has undone the transaction for the sake of another one: serialization_failure, deadlock_detected (appendix
 * A, class 40).
 */
const RETRYABLE = new Set<string | undefined>(["40001", "40P01"]);

/** Somebody else has held what it needs for longer than anybody should wait: lock_not_available. */
const LOCK_NOT_AVAILABLE = "55P03";

/**
 * Each time, somebody else's transaction has got on: only many writers at once that all wait for each other could need
 * as many.
 */
const MAX_ATTEMPTS = 10;

/**
 * A transaction that is begun anew when PostgreSQL has undone it because of another one. Whatever writes records goes
 * through here: two that write the same records or refer to them can meet in different orders, and no order of ours
 * rules that out (inserts and foreign keys lock as well). `work` may run several times: it touches nothing but the
 * database, and changes nothing that it was given. Throws `too_many_requests` when no attempt got through, or a lock
 * was not to be had.
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
    "Too many requests change these records at this moment. Nothing was changed by this one; try again in 1 second.";
  return new AppError("too_many_requests", detail, { retryAfter: 1, cause });
}
