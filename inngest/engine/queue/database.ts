import type { Pool, PoolClient } from "pg";

/** A connection in a transaction, or the pool for a statement that stands alone. */
export type Queryable = Pick<Pool | PoolClient, "query">;
