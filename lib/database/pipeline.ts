import { setTimeout } from "node:timers/promises";

import { type Client, type ClientConfig, DatabaseError, type QueryArrayConfig, type QueryArrayResult } from "pg";

import { guardConnection, ScopedClient } from "@/lib/database/pg-client";

export type NamedStatement = QueryArrayConfig & { name: string };

/** The pipeline counts as stalled with this many statements in flight, or with none answered for this long. */
const MAX_IN_FLIGHT = 32;

const STALL_TIMEOUT_MS = 50;

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
  #inFlight = 0;
  #lastProgress = 0;

  constructor(settings: ClientConfig) {
    const bounds = { query_timeout: ANSWER_TIMEOUT_MS, connectionTimeoutMillis: ANSWER_TIMEOUT_MS };
    this.#client = new ScopedClient({ ...settings, ...bounds, pipeline: true, keepAlive: true });
    this.#client.on("error", () => undefined);
    this.#connected = this.#client.connect().then(() => {
      guardConnection(this.#client);
      return this.#client;
    });
    this.#connected.catch(() => undefined);
  }

  /** Whether a statement would have to wait for earlier ones. */
  get isStalled(): boolean {
    return (
      this.#inFlight >= MAX_IN_FLIGHT ||
      (this.#inFlight > 0 && performance.now() - this.#lastProgress > STALL_TIMEOUT_MS)
    );
  }

  /** Throws {@link PipelineBroken} when the connection failed, and PostgreSQL's error when the statement did. */
  async read<Row extends unknown[]>(statement: NamedStatement): Promise<QueryArrayResult<Row>> {
    if (this.#inFlight === 0) this.#lastProgress = performance.now();
    this.#inFlight += 1;
    try {
      const client = await this.#connected.catch(() => undefined);
      if (!client) throw new PipelineBroken();
      return await client.query<Row>(statement);
    } catch (error) {
      throw isStatementError(error) ? error : new PipelineBroken();
    } finally {
      this.#inFlight -= 1;
      this.#lastProgress = performance.now();
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
