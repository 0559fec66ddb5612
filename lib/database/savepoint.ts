import type { PoolClient } from "pg";

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
