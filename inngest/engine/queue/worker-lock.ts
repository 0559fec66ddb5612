import { setTimeout as delay } from "node:timers/promises";

import type { PoolClient } from "pg";

import type { Queryable } from "@/inngest/engine/queue/jobs";
import { pool } from "@/lib/database/db";
import { log } from "@/lib/log";
import { LIVE_WORKERS } from "@/lib/observability/backlog";

/** Prefix of the name of a live worker's advisory lock. */
export const WORKER_LOCK = "crm-job-worker:";

const RETRY_MS = 1000;

/** A worker that says nothing for so long is frozen: its process is stopped, or its event loop blocked. */
const FROZEN_AFTER_MS = 30_000;

const HEARTBEAT_MS = 5_000;

/**
 * The lock ends with its connection. With keepalives, PostgreSQL notices a vanished machine within about ten seconds.
 * The kernel answers them for a frozen process too, so PostgreSQL also ends a session without heartbeats.
 */
const SETTINGS = [
  "set tcp_keepalives_idle = 4",
  "set tcp_keepalives_interval = 2",
  "set tcp_keepalives_count = 3",
  `set idle_session_timeout = ${FROZEN_AFTER_MS}`,
];

/** A live worker that has lost its lock has taken it again by then. */
const REGAIN_MS = 15_000;

export interface WorkerLock {
  /**
   * Whether a worker without its lock is dead. Not for a while after this worker has lost its own: what ends this
   * connection, such as a restart or a crash of PostgreSQL, ends those of the other live workers too.
   */
  isSettled(): boolean;
  /** The connection of the lock, on which nothing waits for one of the pool; the pool while there is none. */
  connection(): Queryable;
  release(): void;
}

/**
 * Takes the advisory lock that says that a worker is alive, on its own connection, and takes it again when that breaks.
 * PostgreSQL releases it the moment the process dies, and soon after it freezes. Never rejects: without the database
 * there are no jobs either.
 */
export async function holdWorkerLock(workerId: string): Promise<WorkerLock> {
  const released = new AbortController();
  let client: PoolClient | undefined;
  let settledAt = 0;

  async function keepLocked(): Promise<void> {
    while (!client && !released.signal.aborted) {
      client = await connectAndLock(workerId, onLost).catch((error: unknown) => {
        log.warn({ worker_id: workerId, err: error }, "could not take the worker's lock; trying again");
        settledAt = Infinity;
        return undefined;
      });
      if (!client) await delay(RETRY_MS);
    }
    if (settledAt === Infinity) settledAt = performance.now() + REGAIN_MS;
    if (released.signal.aborted) release(true);
  }

  function onLost(error: Error): void {
    settledAt = Infinity;
    release(error);
    void keepLocked();
  }

  function release(reason: Error | true): void {
    client?.release(reason);
    client = undefined;
  }

  await keepLocked();
  return {
    isSettled: () => performance.now() >= settledAt,
    connection: () => client ?? pool(),
    release: () => {
      released.abort();
      release(true);
    },
  };
}

async function connectAndLock(workerId: string, onLost: (error: Error) => void): Promise<PoolClient> {
  const client = await pool().connect();
  try {
    // One by one: this may run within a scope, and the scope can only be sent with a single statement.
    for (const setting of SETTINGS) await client.query(setting);
    await client.query("select pg_advisory_lock(hashtextextended($1, 0))", [WORKER_LOCK + workerId]);
    // By which live workers are counted: nobody can tell from the lock above that a worker holds it.
    await client.query("select pg_advisory_lock_shared(hashtextextended($1, 0))", [LIVE_WORKERS]);
  } catch (error) {
    client.release(true);
    throw error;
  }
  keepAlive(client, onLost);
  return client;
}

/** Sends heartbeats until the connection breaks or leaves one unanswered, and reports that once. */
function keepAlive(client: PoolClient, onLost: (error: Error) => void): void {
  const heartbeat = { text: "select", query_timeout: FROZEN_AFTER_MS - HEARTBEAT_MS };
  const timer = setInterval(() => void client.query(heartbeat).catch(lose), HEARTBEAT_MS).unref();
  let isLost = false;
  function lose(error: Error): void {
    clearInterval(timer);
    if (!isLost) onLost(error);
    isLost = true;
  }
  client.once("error", lose).once("end", () => clearInterval(timer));
}
