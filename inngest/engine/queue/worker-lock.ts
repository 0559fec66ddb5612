import { setTimeout as delay } from "node:timers/promises";

import type { PoolClient } from "pg";

import { pool } from "@/lib/database/db";
import { log } from "@/lib/log";

/** Prefix of the name under which a live worker holds its advisory lock. */
export const WORKER_LOCK = "crm-job-worker:";

const RETRY_MS = 1000;

/**
 * The lock is as alive as its connection: a machine that vanished without a word is noticed within about ten seconds.
 */
const KEEPALIVE = ["set tcp_keepalives_idle = 4", "set tcp_keepalives_interval = 2", "set tcp_keepalives_count = 3"];

export interface WorkerLock {
  release(): void;
}

/**
 * Takes the advisory lock that says "this worker is alive", on a connection of its own, and takes it anew when the
 * connection breaks. PostgreSQL frees it the moment the process dies. Never rejects: without the database there is no
 * work either.
 */
export async function holdWorkerLock(workerId: string): Promise<WorkerLock> {
  const released = new AbortController();
  let client: PoolClient | undefined;

  async function hold(): Promise<void> {
    while (!client && !released.signal.aborted) {
      client = await connectAndLock(workerId, lost).catch((error: unknown) => {
        log.warn({ worker_id: workerId, err: error }, "cannot take the worker's lock, trying again");
        return undefined;
      });
      if (!client) await delay(RETRY_MS);
    }
    if (released.signal.aborted) letGo(true);
  }

  function lost(error: Error): void {
    letGo(error);
    void hold();
  }

  function letGo(reason: Error | true): void {
    client?.release(reason);
    client = undefined;
  }

  await hold();
  return {
    release: () => {
      released.abort();
      letGo(true);
    },
  };
}

async function connectAndLock(workerId: string, onLost: (error: Error) => void): Promise<PoolClient> {
  const client = await pool().connect();
  try {
    // One by one: a lock is taken anew where the connection broke, which may be within somebody's scope, and what is
    // sent with a scope is one statement.
    for (const setting of KEEPALIVE) await client.query(setting);
    await client.query("select pg_advisory_lock(hashtextextended($1, 0))", [WORKER_LOCK + workerId]);
  } catch (error) {
    client.release(true);
    throw error;
  }
  client.once("error", onLost);
  return client;
}
