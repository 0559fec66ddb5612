import { AsyncLocalStorage } from "node:async_hooks";

import { PrismaPg } from "@prisma/adapter-pg";
import type { Pool, PoolClient, QueryArrayConfig, QueryArrayResult, QueryConfig } from "pg";

import { isOvertaken, LOCK_NOT_AVAILABLE, postgresCode } from "@/lib/database/error-codes";
import {
  endIfUnanswered,
  guardConnection,
  isUnanswered,
  queryTimeout,
  type ScopedClient,
  ScopedPool,
  setQueryTimeout,
} from "@/lib/database/pg-client";
import { type NamedStatement, PipelinedReads } from "@/lib/database/pipelined-reads";
import { endReader, noteRefusedChanges } from "@/lib/database/read-only-servers";
import { requireSetting } from "@/lib/env";
import { PrismaClient } from "@/lib/generated/prisma/client";
import { tooManyWriters } from "@/lib/unavailable";

interface Database {
  pool: Pool;
  prisma: PrismaClient;
  pipelined: PipelinedReads;
}

/** `client` is undefined once the transaction has ended. */
interface OpenTransaction {
  client: PoolClient | undefined;
}

// Next evaluates modules once per bundle, but a process has one of each.
const holder = globalThis as typeof globalThis & {
  crmDatabase?: Database;
  crmTransaction?: AsyncLocalStorage<OpenTransaction>;
  crmCommitTask?: AsyncLocalStorage<CommitTask>;
};

const openTransaction = (holder.crmTransaction ??= new AsyncLocalStorage());

const commitTask = (holder.crmCommitTask ??= new AsyncLocalStorage());

/**
 * In milliseconds. An open transaction holds its locks and blocks the events feed of every organization: the feed shows
 * nothing above the oldest open transaction (`lib/records/events/events-page.ts`). A transaction that needs longer sets
 * its own timeout.
 */
const TIMEOUTS = { statement_timeout: 60_000, lock_timeout: 30_000, idle_in_transaction_session_timeout: 60_000 };

/** A caller that gets no connection within this time fails: all are in use, or PostgreSQL does not answer. */
const CONNECTION_TIMEOUT_MS = 60_000;

/** The name by which PostgreSQL tells the service's connections from others. */
export const APPLICATION_NAME = "crm";

function settings() {
  return { connectionString: requireSetting("DATABASE_URL"), application_name: APPLICATION_NAME, ...TIMEOUTS };
}

function open(): Database {
  const bounds = {
    query_timeout: queryTimeout(TIMEOUTS.statement_timeout),
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    keepAlive: true,
  };
  const pool = new ScopedPool({ ...settings(), ...bounds, max: 20 });
  // Without a listener, a broken connection would end the process. The next query on it gets its own error.
  pool.on("error", () => undefined);
  const readers = new Set<PoolClient>();
  pool.on("connect", (client) => {
    client.on("error", () => undefined);
    guardConnection(client);
    noteRefusedChanges(client, readers);
  });
  pool.on("release", (_, client) => {
    endIfUnanswered(client);
    if (readers.delete(client)) endReader(client, pipelined);
    setQueryTimeout(client, TIMEOUTS.statement_timeout);
  });
  const pipelined = new PipelinedReads(settings(), pool);
  const adapter = new JoiningPrismaPg(pool, () => openTransaction.getStore()?.client);
  return { pool, prisma: new PrismaClient({ adapter }), pipelined };
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
 * Runs a prepared statement that reads little, as every request does. All such statements share one connection: at
 * sixteen concurrent requests, a statement costs both processes half of what it costs over the pool, because they wake
 * each other less often. While the pipeline is stalled, when the statement takes too long for those behind it, and when
 * the pipeline breaks before the answer, the pool is asked instead: for `overPool`.
 */
export function readPipelined<Row extends unknown[]>(
  statement: NamedStatement,
  overPool: QueryArrayConfig = statement,
): Promise<QueryArrayResult<Row>> {
  return database().pipelined.read<Row>(statement, overPool);
}

/** Lets the next such statement open another connection, because this one leads to a server that takes no changes. */
export function renewPipelined(): void {
  database().pipelined.renew();
}

type Task = () => Promise<void>;

/** A statement after which `work` of a {@link transaction} neither sends another one nor throws. */
export interface Last {
  isLast: boolean;
}

type CommitTask = (client: PoolClient) => Promise<unknown>;

/** Tasks to run after the commit of a connection's transaction. */
const afterCommitTasks = new WeakMap<PoolClient, Task[]>();

/**
 * Runs `task` after the transaction of `client` is committed, and never if it is rolled back. Throws without an open
 * {@link transaction}.
 */
export function afterCommit(client: PoolClient, task: Task): void {
  const tasks = afterCommitTasks.get(client);
  if (!tasks) throw new Error("afterCommit needs a transaction.");
  tasks.push(task);
}

/**
 * Runs `work`, and `task` as the last thing in every {@link transaction} of it, so that both are committed or neither.
 */
export function withEachCommit<T>(task: CommitTask, work: () => Promise<T>): Promise<T> {
  return commitTask.run(task, work);
}

/**
 * Runs `work` without that task: its transactions are not those of the request that it is part of, or that started it.
 */
export function withoutCommitTask<T>(work: () => Promise<T>): Promise<T> {
  return commitTask.exit(work);
}

/**
 * Runs `work` in one transaction on one connection. Commits when `work` returns, and rolls back when it throws. Within
 * `work`, {@link prisma} takes part in the transaction. A statement with {@link Last} must be the last one.
 */
export async function transaction<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
  const tasks: Task[] = [];
  const result = await committed(work, tasks);
  for (const task of tasks) await task();
  return result;
}

async function committed<T>(work: (client: PoolClient) => Promise<T>, tasks: Task[]): Promise<T> {
  const client = (await pool().connect()) as PoolClient & ScopedClient;
  afterCommitTasks.set(client, tasks);
  let broken: Error | undefined;
  try {
    const task = commitTask.getStore();
    client.begin({ mayBeSingle: task === undefined });
    const result = await joinedByPrisma(client, work);
    await task?.(client);
    await client.endTransaction("COMMIT");
    return result;
  } catch (error) {
    if (isUnanswered(error)) broken = error as Error;
    else await client.endTransaction("ROLLBACK").catch((failure: Error) => (broken = failure));
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
 * With each failed attempt another transaction succeeded. Only many writers that all wait for each other could need so
 * many.
 */
const MAX_ATTEMPTS = 10;

/** Thrown within {@link retriedTransaction} to repeat it, because another transaction came in between. */
export class Overtaken extends Error {}

/** What to throw for an error: {@link Overtaken} where PostgreSQL refused the statement with this code. */
export function overtakenBy(code: string, error: unknown): unknown {
  return postgresCode(error) === code ? new Overtaken("Another transaction came first.", { cause: error }) : error;
}

/**
 * A transaction that is repeated when PostgreSQL rolls it back in favor of another one. Everything that writes records
 * uses it: two writes of the same records, or of references to them, can lock in different orders, and no order of ours
 * rules that out (inserts and foreign keys lock too). `work` may run several times, so it must change nothing but the
 * database. Throws `too_many_requests` when no attempt succeeded, or a lock was not available.
 */
export async function retriedTransaction<Result>(work: (client: PoolClient) => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await transaction(work);
    } catch (error) {
      const code = postgresCode(error);
      const repeats = isOvertaken(code) || error instanceof Overtaken;
      if (code === LOCK_NOT_AVAILABLE || (attempt === MAX_ATTEMPTS && repeats)) throw tooManyWriters(error);
      if (!repeats) throw error;
    }
  }
}

/**
 * Locks the organization's row until the transaction of `client` ends, so that no other transaction adds something
 * between a count and an insertion.
 */
export async function lockOrganization(client: PoolClient, organizationId: string): Promise<void> {
  await client.query("SELECT FROM organizations WHERE id = $1 FOR NO KEY UPDATE", [organizationId]);
}

/**
 * Sets the timeout of each further statement in the transaction of `client`. It may be longer than {@link TIMEOUTS}
 * where nobody waits for the answer.
 */
export async function setStatementTimeout(client: PoolClient, milliseconds: number): Promise<void> {
  await client.query(`SET LOCAL statement_timeout = ${milliseconds}`);
  setQueryTimeout(client, milliseconds);
}

/** Closes every connection; the next use opens new ones. */
export async function closeDatabase(): Promise<void> {
  const open = holder.crmDatabase;
  if (!open) return;
  holder.crmDatabase = undefined;
  await open.pipelined.close();
  await open.prisma.$disconnect();
  await open.pool.end();
}

type Joined = () => PoolClient | undefined;

/**
 * Prisma over the service's pool. Within a transaction its statements go over the connection of that transaction, so
 * that Prisma and SQL read and change rows together, and commit or roll back together.
 */
class JoiningPrismaPg extends PrismaPg {
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
