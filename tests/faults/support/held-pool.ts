import type { Pool, PoolClient } from "pg";

import { pool } from "@/lib/database/db";

interface HeldPool {
  /** Gives one connection back. */
  releaseOne: () => void;
  releaseAll: () => void;
  [Symbol.dispose]: () => void;
}

/** Takes every connection of the process's pool, as statements do that wait for a lock. */
export async function holdPool(): Promise<HeldPool> {
  const { max } = pool().options;
  const held: PoolClient[] = await Promise.all(Array.from({ length: max }, () => pool().connect()));
  const releaseOne = () => held.pop()?.release();
  const releaseAll = () => {
    while (held.length > 0) releaseOne();
  };
  return { releaseOne, releaseAll, [Symbol.dispose]: releaseAll };
}

/** Lets callers wait for a connection for `milliseconds` instead of a minute, while `work` runs. */
export async function waitingAtMost<Result>(milliseconds: number, work: () => Promise<Result>): Promise<Result> {
  const options = pool().options as { connectionTimeoutMillis?: number | undefined };
  const usual = options.connectionTimeoutMillis;
  options.connectionTimeoutMillis = milliseconds;
  try {
    return await work();
  } finally {
    options.connectionTimeoutMillis = usual;
  }
}

/** How many callers wait for a connection. */
export function waiting(): Pool["waitingCount"] {
  return pool().waitingCount;
}
