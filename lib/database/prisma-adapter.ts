import { PrismaPg } from "@prisma/adapter-pg";
import type { Pool, PoolClient, QueryConfig } from "pg";

type Joined = () => PoolClient | undefined;

/**
 * Prisma over the service's pool. Within a transaction its statements go over the connection of that transaction, so
 * that Prisma and SQL read and change rows together, and commit or roll back together.
 */
export class JoiningPrismaPg extends PrismaPg {
  /** `joined` returns the connection of the open transaction in which it is called, if any. */
  constructor(
    pool: Pool,
    private readonly joined: Joined,
  ) {
    super(pool, { disposeExternalPool: false });
  }

  override async connect(): ReturnType<PrismaPg["connect"]> {
    const adapter = await super.connect();
    const inner = adapter as unknown as { client: Pick<Pool, "query" | "connect"> };
    const pool = inner.client;
    const query = (config: QueryConfig) => (this.joined() ?? pool).query(config);
    inner.client = { query: query as Pool["query"], connect: connectOutside(pool, this.joined) };
    return adapter;
  }
}

/** Refuses nested writes: Prisma would begin another transaction, which neither sees ours nor ends with it. */
function connectOutside(pool: Pick<Pool, "connect">, joined: Joined): Pool["connect"] {
  const connect = () => {
    if (joined()) throw new Error("Within a transaction, write each row by a separate call.");
    return pool.connect();
  };
  return connect as Pool["connect"];
}
