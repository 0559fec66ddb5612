import { setTimeout } from "node:timers/promises";

import {
  type Client,
  type ClientConfig,
  DatabaseError,
  type Pool,
  type QueryArrayConfig,
  type QueryArrayResult,
} from "pg";

import { postgresCode, QUERY_CANCELED } from "@/lib/database/error-codes";
import { guardConnection, ScopedClient } from "@/lib/database/pg-client";
import { log } from "@/lib/log";

export type NamedStatement = QueryArrayConfig & { name: string };

/** The pipeline counts as stalled with so many statements in flight, or with one of them unanswered for so long. */
const MAX_IN_FLIGHT = 32;

const STALL_TIMEOUT_MS = 50;

/**
 * A statement that takes longer is cancelled: it waits for a lock, or scans what row-level security keeps from an index
 * (docs/decisions/0032-row-level-security.md).
 */
const STATEMENT_TIMEOUT_MS = 100;

/** How long a statement that was slow over the pool, too, is kept off the pipeline. */
const SLOW_MS = 60_000;

/**
 * A statement or connection attempt without an answer for this long breaks the pipeline: the other end may have
 * vanished without closing the connection.
 */
const ANSWER_TIMEOUT_MS = 5_000;

const CLOSE_TIMEOUT_MS = 1_000;

/**
 * PostgreSQL manual, appendix A: the connection fails (08), the server closes it (57P), or the statement is not
 * prepared because its first use failed.
 */
const CONNECTION_ERRORS = /^(?:08|57P|26000$)/;

/** A connection that sends statements without waiting for earlier answers (PostgreSQL manual §54.2.3). */
export class Pipeline {
  readonly #client: Client;
  readonly #connected: Promise<Client>;
  /** When each statement in flight was sent, the oldest first: PostgreSQL answers in this order. */
  readonly #sentAt: number[] = [];

  constructor(settings: ClientConfig) {
    const bounds = { query_timeout: ANSWER_TIMEOUT_MS, connectionTimeoutMillis: ANSWER_TIMEOUT_MS };
    const timeout = { statement_timeout: STATEMENT_TIMEOUT_MS };
    this.#client = new ScopedClient({ ...settings, ...bounds, ...timeout, pipeline: true, keepAlive: true });
    this.#client.on("error", () => undefined);
    this.#connected = this.#client.connect().then(() => {
      guardConnection(this.#client);
      return this.#client;
    });
    this.#connected.catch(() => undefined);
  }

  /** Whether a statement would have to wait for earlier ones. */
  get isStalled(): boolean {
    const [oldest] = this.#sentAt;
    if (oldest === undefined) return false;
    return this.#sentAt.length >= MAX_IN_FLIGHT || performance.now() - oldest > STALL_TIMEOUT_MS;
  }

  /** Throws {@link PipelineBroken} when the connection failed, and PostgreSQL's error when the statement did. */
  async read<Row extends unknown[]>(statement: NamedStatement): Promise<QueryArrayResult<Row>> {
    this.#sentAt.push(performance.now());
    try {
      const client = await this.#connected.catch(() => undefined);
      if (!client) throw new PipelineBroken();
      return await client.query<Row>(statement);
    } catch (error) {
      throw isStatementError(error) ? error : new PipelineBroken();
    } finally {
      this.#sentAt.shift();
    }
  }

  async close(): Promise<void> {
    const ended = this.#connected.then((client) => client.end()).catch(() => undefined);
    await Promise.race([ended, setTimeout(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
  }
}

/** The statement has no answer and may be sent over another connection. */
export class PipelineBroken extends Error {}

function isStatementError(error: unknown): boolean {
  return error instanceof DatabaseError && !CONNECTION_ERRORS.test(error.code ?? "");
}

/** Reads over a {@link Pipeline}, and over the pool what would have to wait there or lets others wait. */
export class PipelinedReads {
  readonly #settings: ClientConfig;
  readonly #pool: Pool;
  #pipeline: Pipeline | undefined;
  /** By the names of statements. */
  readonly #slowUntil = new Map<string, number>();

  constructor(settings: ClientConfig, pool: Pool) {
    this.#settings = settings;
    this.#pool = pool;
  }

  /** `overPool` is what the pool is asked instead. */
  async read<Row extends unknown[]>(
    statement: NamedStatement,
    overPool: QueryArrayConfig,
  ): Promise<QueryArrayResult<Row>> {
    const pipeline = (this.#pipeline ??= new Pipeline(this.#settings));
    if (pipeline.isStalled || this.#isSlow(statement)) return this.#pool.query<Row>(overPool);
    try {
      return await pipeline.read<Row>(statement);
    } catch (error) {
      if (postgresCode(error) === QUERY_CANCELED) return this.#readTimed<Row>(statement, overPool);
      if (!(error instanceof PipelineBroken)) throw error;
      if (this.#pipeline === pipeline) this.#pipeline = undefined;
      void pipeline.close();
      return this.#pool.query<Row>(overPool);
    }
  }

  /** After a cancelled statement: only the time that it takes over the pool tells a slow one from a busy machine. */
  async #readTimed<Row extends unknown[]>(
    { name }: NamedStatement,
    overPool: QueryArrayConfig,
  ): Promise<QueryArrayResult<Row>> {
    const client = await this.#pool.connect();
    try {
      const sentAt = performance.now();
      const answer = await client.query<Row>(overPool);
      const now = performance.now();
      const durationMs = Math.round(now - sentAt);
      if (durationMs > STATEMENT_TIMEOUT_MS) {
        this.#slowUntil.set(name, now + SLOW_MS);
        log.warn({ statement: name, duration_ms: durationMs }, "a statement is slow");
      }
      return answer;
    } finally {
      client.release();
    }
  }

  #isSlow({ name }: NamedStatement): boolean {
    return performance.now() < (this.#slowUntil.get(name) ?? 0);
  }

  /** Lets the next statement open another connection. Those in flight are sent over the pool. */
  renew(): void {
    void this.close();
    this.#pipeline = undefined;
  }

  async close(): Promise<void> {
    await this.#pipeline?.close();
  }
}
