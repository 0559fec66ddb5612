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
