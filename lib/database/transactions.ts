import type { PoolClient } from "pg";

import type { Context } from "@/lib/context";
import { retriedTransaction } from "@/lib/database/db";

/**
 * A {@link retriedTransaction} that does the whole work of an operation, and returns its result. If the request has an
 * `Idempotency-Key`, the answer is committed with the work: so a process that is killed after the commit leaves the
 * answer for the repeat, and nothing is done twice.
 */
export function answeringTransaction<Result>(
  context: Pick<Context, "keepAnswer">,
  work: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  return retriedTransaction(async (client) => {
    const result = await work(client);
    await context.keepAnswer?.(client, result);
    return result;
  });
}

/**
 * Runs `work` in a savepoint of the client's transaction. If it throws, its changes are rolled back and the transaction
 * goes on; the error is thrown.
 */
export async function inSavepoint<T>(client: PoolClient, work: () => Promise<T>): Promise<T> {
  await client.query("SAVEPOINT attempt");
  try {
    const result = await work();
    await client.query("RELEASE SAVEPOINT attempt");
    return result;
  } catch (error) {
    // Of a broken connection, the error of the work says more than that of the rollback.
    await client.query("ROLLBACK TO SAVEPOINT attempt").catch(() => undefined);
    await client.query("RELEASE SAVEPOINT attempt").catch(() => undefined);
    throw error;
  }
}

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
