import { AsyncLocalStorage } from "node:async_hooks";

import { PrismaPg } from "@prisma/adapter-pg";
import type { Pool, PoolClient, QueryConfig } from "pg";

/** `client` is undefined once the transaction has ended. */
interface OpenTransaction {
  client: PoolClient | undefined;
}

// Next evaluates modules once per bundle; one process must have one of these.
const holder = globalThis as typeof globalThis & { crmTransaction?: AsyncLocalStorage<OpenTransaction> };

const openTransaction = (holder.crmTransaction ??= new AsyncLocalStorage());

/** Runs `work` so that Prisma's statements in it go over `client`, the connection of an open transaction. */
export async function joinPrisma<Result>(client: PoolClient, work: () => Promise<Result>): Promise<Result> {
  const transaction: OpenTransaction = { client };
  try {
    // Awaited inside: Prisma sends a statement only when somebody waits for it.
    return await openTransaction.run(transaction, async () => await work());
  } finally {
    transaction.client = undefined;
  }
}

/**
 * Prisma over the service's pool. Within a transaction its statements go over the connection of that transaction, so
 * that Prisma and SQL read and change rows together, and commit or roll back together.
 */
export class JoiningPrismaPg extends PrismaPg {
  override async connect(): ReturnType<PrismaPg["connect"]> {
    const adapter = await super.connect();
    const inner = adapter as unknown as { client: Pick<Pool, "query" | "connect"> };
    const pool = inner.client;
    const query = (config: QueryConfig) => (openTransaction.getStore()?.client ?? pool).query(config);
    inner.client = { query: query as Pool["query"], connect: connectOutside(pool) };
    return adapter;
  }
}

/** A nested write of Prisma begins a transaction of its own, which would neither see ours nor end with it. */
function connectOutside(pool: Pick<Pool, "connect">): Pool["connect"] {
  const connect = () => {
    if (openTransaction.getStore()?.client)
      throw new Error("Within a transaction, write each row by a call of its own.");
    return pool.connect();
  };
  return connect as Pool["connect"];
}
