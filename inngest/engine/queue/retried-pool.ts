import type { Pool, PoolClient } from "pg";

import { unavailability } from "@/lib/unavailable";

/** The database is down, out of reach or full, in the words that graphile-worker understands. */
class Outage extends Error {
  /** cannot_connect_now: one of few errors after which it tries again, for three hours (graphile-worker, lib.js). */
  readonly code = "57P03";

  constructor(cause: Error) {
    super(cause.message, { cause });
  }
}

/**
 * The pool as graphile-worker gets it. It awaits nowhere that a job is completed or failed, so an error of that
 * statement would end the process, unless it is one after which it tries again. Here every outage is one: no
 * connection, one that broke before the answer, a full disk. Repeating those statements does no harm: they name the
 * job and its holder.
 */
export function retriedPool(pool: Pool): Pool {
  const connect = (callback?: Parameters<Pool["connect"]>[0]) =>
    callback ? pool.connect(callback) : connectRetried(pool);
  return new Proxy(pool, {
    get: (target, name, receiver) => (name === "connect" ? connect : Reflect.get(target, name, receiver)),
  });
}

async function connectRetried(pool: Pool): Promise<Pick<PoolClient, "query" | "release">> {
  const client = await pool.connect().catch(throwRetried);
  const query = (text: string, values?: unknown[]) => client.query(text, values).catch(throwRetried);
  return { query: query as PoolClient["query"], release: () => client.release() };
}

function throwRetried(error: Error): never {
  throw unavailability(error) ? new Outage(error) : error;
}
