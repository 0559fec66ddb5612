import type { PoolClient } from "pg";

import { retriedTransaction } from "@/lib/database/db";

/** Carries the result of a transaction out of it, and rolls it back. */
class RolledBack<Result> extends Error {
  constructor(readonly result: Result) {
    super("This transaction is always rolled back.");
  }
}

/** Runs `work` in a transaction that is always rolled back, and returns its result. */
export async function rolledBack<Result>(work: (client: PoolClient) => Promise<Result>): Promise<Result> {
  try {
    await retriedTransaction(async (client) => {
      throw new RolledBack(await work(client));
    });
  } catch (error) {
    if (error instanceof RolledBack) return error.result as Result;
    throw error;
  }
  throw new Error("A transaction that is always rolled back was committed.");
}
