import { AsyncLocalStorage } from "node:async_hooks";

import type { Pool, PoolClient, QueryArrayResult } from "pg";

import {
  endIfUnanswered,
  guardConnection,
  isUnanswered,
  queryTimeout,
  setQueryTimeout,
} from "@/lib/database/guarded-connection";
import { type NamedStatement, Pipeline, PipelineBroken } from "@/lib/database/pipeline";
import { JoiningPrismaPg } from "@/lib/database/prisma-adapter";
import { ScopedPool } from "@/lib/database/scoped-client";
import { requireSetting } from "@/lib/env";
import { PrismaClient } from "@/lib/generated/prisma/client";

interface Database {
  pool: Pool;
  prisma: PrismaClient;
  pipeline?: Pipeline | undefined;
}

/** `client` is undefined once the transaction has ended. */
interface OpenTransaction {
  client: PoolClient | undefined;
}

// Next evaluates modules once per bundle; one process must still have one of each.
const holder = globalThis as typeof globalThis & {
  crmDatabase?: Database;
  crmTransaction?: AsyncLocalStorage<OpenTransaction>;
};

const openTransaction = (holder.crmTransaction ??= new AsyncLocalStorage());

/**
 * In milliseconds. A transaction that is left open holds its locks, and the events feed for everybody: nothing is shown
 * above the oldest open one (`lib/records/events/events-page.ts`). What needs longer sets its own within its
 * transaction.
 */
const TIMEOUTS = { statement_timeout: 60_000, lock_timeout: 30_000, idle_in_transaction_session_timeout: 60_000 };

/** In milliseconds. Who finds every connection taken for so long, or PostgreSQL silent, waits in vain. */
const CONNECTION_TIMEOUT_MS = 60_000;

function settings() {
  return { connectionString: requireSetting("DATABASE_URL"), application_name: "crm", ...TIMEOUTS };
}

function open(): Database {
  const bounds = {
    query_timeout: queryTimeout(TIMEOUTS.statement_timeout),
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    keepAlive: true,
  };
  const pool = new ScopedPool({ ...settings(), ...bounds, max: 20 });
  // Without a listener a broken connection would end the process, idle or not; the next query gets its own error.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => {
    client.on("error", () => undefined);
    guardConnection(client);
  });
  pool.on("release", (_, client) => {
    endIfUnanswered(client);
    setQueryTimeout(client, TIMEOUTS.statement_timeout);
  });
  const adapter = new JoiningPrismaPg(pool, () => openTransaction.getStore()?.client);
  return { pool, prisma: new PrismaClient({ adapter }) };
}

function database(): Database {
  holder.crmDatabase ??= open();
  return holder.crmDatabase;
}

/** The process's connection pool, for hot SQL. Opened at first use. */
export function pool(): Pool {
  return database().pool;
}

/**
 * Prisma over the same pool, for what is neither hot nor set-based (`docs/decisions/0036-prisma-and-sql.md`). Within
 * {@link transaction} it is part of that transaction.
 */
export function prisma(): PrismaClient {
  return database().prisma;
}

/**
 * Runs a prepared statement that reads one row or two, such as every request needs. They share one connection: with
 * sixteen requests at a time a statement takes half of what it takes of both processes over connections of the pool,
 * because they wake each other less often. What is held up there, or owed when it breaks, is read over the pool.
 */
export async function readPipelined<Row extends unknown[]>(statement: NamedStatement): Promise<QueryArrayResult<Row>> {
  const open = database();
  const pipeline = (open.pipeline ??= new Pipeline(settings()));
  if (pipeline.isHeldUp) return open.pool.query<Row>(statement);
  try {
    return await pipeline.read<Row>(statement);
  } catch (error) {
    if (!(error instanceof PipelineBroken)) throw error;
    if (open.pipeline === pipeline) open.pipeline = undefined;
    void pipeline.close();
    return open.pool.query<Row>(statement);
  }
}

type Task = () => Promise<void>;

/** What is to be done once the transaction of a connection stands. */
const afterCommitTasks = new WeakMap<PoolClient, Task[]>();

/**
 * Has `task` done after the transaction of `client` has been committed, and never if it is not. Throws outside of
 * {@link transaction}.
 */
export function afterCommit(client: PoolClient, task: Task): void {
  const tasks = afterCommitTasks.get(client);
  if (!tasks) throw new Error("Nothing can follow a commit outside of a transaction.");
  tasks.push(task);
}

/**
 * Runs `work` in one transaction on one connection: commits what it returns, rolls back what it throws. What
 * {@link prisma} does within `work` is part of it.
 */
export async function transaction<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
  const tasks: Task[] = [];
  const result = await committed(work, tasks);
  for (const task of tasks) await task();
  return result;
}

async function committed<T>(work: (client: PoolClient) => Promise<T>, tasks: Task[]): Promise<T> {
  const client = await pool().connect();
  afterCommitTasks.set(client, tasks);
  let broken: Error | undefined;
  try {
    await client.query("BEGIN");
    const result = await joinedByPrisma(client, work);
    await client.query("COMMIT");
    return result;
  } catch (error) {
    if (isUnanswered(error)) broken = error as Error;
    else await client.query("ROLLBACK").catch((failure: Error) => (broken = failure));
    throw error;
  } finally {
    afterCommitTasks.delete(client);
    client.release(broken);
  }
}

/** Runs `work` so that Prisma's statements in it go over `client`. */
async function joinedByPrisma<T>(client: PoolClient, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const transaction: OpenTransaction = { client };
  try {
    // Awaited inside: Prisma sends a statement only when somebody waits for it.
    return await openTransaction.run(transaction, async () => await work(client));
  } finally {
    transaction.client = undefined;
  }
}

/**
 * Locks the organization's row until the transaction of `client` ends, so that counting what it has and adding to it
 * happen in turn.
 */
export async function lockOrganization(client: PoolClient, organizationId: string): Promise<void> {
  await client.query("SELECT FROM organizations WHERE id = $1 FOR NO KEY UPDATE", [organizationId]);
}

/**
 * Allows each statement of the transaction of `client` so many milliseconds: where nobody waits for an answer, it may
 * take longer than {@link TIMEOUTS} say.
 */
export async function setStatementTimeout(client: PoolClient, milliseconds: number): Promise<void> {
  await client.query(`SET LOCAL statement_timeout = ${milliseconds}`);
  setQueryTimeout(client, milliseconds);
}

/** Closes every connection; the next use opens them anew. */
export async function closeDatabase(): Promise<void> {
  const open = holder.crmDatabase;
  if (!open) return;
  holder.crmDatabase = undefined;
  await open.pipeline?.close();
  await open.prisma.$disconnect();
  await open.pool.end();
}
