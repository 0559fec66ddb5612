import { setTimeout } from "node:timers/promises";

import { type Client, type ClientConfig, DatabaseError, type QueryArrayConfig, type QueryArrayResult } from "pg";

import { postgresCode, QUERY_CANCELED } from "@/lib/database/error-codes";
import { guardConnection, ScopedClient } from "@/lib/database/pg-client";

export type NamedStatement = QueryArrayConfig & { name: string };

/** The pipeline counts as stalled with so many statements in flight, or with one of them unanswered for so long. */
const MAX_IN_FLIGHT = 32;

const STALL_TIMEOUT_MS = 50;

/**
 * A statement that takes longer is cancelled: it waits for a lock, or scans what row-level security keeps from an index
 * (docs/decisions/0032-row-level-security.md).
 */
const STATEMENT_TIMEOUT_MS = 100;

/** For so long, a statement of that name is not sent again. */
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
  /** Until when the statements that were cancelled are not sent, by their names. */
  readonly #slowUntil = new Map<string, number>();

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

  /** Whether a statement would have to wait for earlier ones, or others might wait for it too long. */
  isStalledFor(name: string): boolean {
    const slowUntil = this.#slowUntil.get(name);
    if (slowUntil !== undefined && performance.now() < slowUntil) return true;
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
      if (postgresCode(error) === QUERY_CANCELED) this.#slowUntil.set(statement.name, performance.now() + SLOW_MS);
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
export class PipelineBroken extends Error {
  override readonly name = "PipelineBroken";
}

/** Not by `instanceof`: Next evaluates modules once per bundle, and another bundle may have opened the pipeline. */
export function isPipelineBroken(error: unknown): boolean {
  return error instanceof Error && error.name === "PipelineBroken";
}

function isStatementError(error: unknown): boolean {
  return error instanceof DatabaseError && !CONNECTION_ERRORS.test(error.code ?? "");
}
