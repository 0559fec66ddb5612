import type { PoolClient } from "pg";

import { transaction } from "@/lib/db";

const DEADLOCK = "40P01";
const ATTEMPTS = 4;

/**
 * A transaction that is begun anew when PostgreSQL has ended it to resolve a deadlock: two batches that write the same external ids in different
 * orders wait for each other, and the order in which a statement inserts cannot rule that out.
 */
export async function batchTransaction<Result>(work: (client: PoolClient) => Promise<Result>, attempts = ATTEMPTS): Promise<Result> {
  try {
    return await transaction(work);
  } catch (error) {
    if (attempts > 1 && isDeadlock(error)) return batchTransaction(work, attempts - 1);
    throw error;
  }
}

function isDeadlock(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === DEADLOCK;
}
