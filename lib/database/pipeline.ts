import { setTimeout } from "node:timers/promises";

import { type Client, type ClientConfig, DatabaseError, type QueryArrayConfig, type QueryArrayResult } from "pg";

import { guardConnection } from "@/lib/database/guarded-connection";
import { ScopedClient } from "@/lib/database/scoped-client";

export type NamedStatement = QueryArrayConfig & { name: string };

/**
 * With more statements under way, or with none that has been answered for so long, something holds the others up. In
 * milliseconds.
 */
const MAX_IN_FLIGHT = 32;

const STALL_TIMEOUT_MS = 50;

/**
 * What is not answered within it, a statement or the first word, gives the connection up: its other end may be gone
 * without one. In milliseconds.
 */
const ANSWER_TIMEOUT_MS = 5_000;

const CLOSE_TIMEOUT_MS = 1_000;

/**
 * PostgreSQL manual, appendix A: the connection fails (08), the server ends it (57P), or the statement is not prepared,
 * since a first use of it failed.
 */
const CONNECTION_ERRORS = /^(?:08|57P|26000$)/;

/** A connection over which statements go without waiting for each other's answers (PostgreSQL manual §54.2.3). */
export class Pipeline {
  readonly #client: Client;
  readonly #connected: Promise<Client>;
  #underWay = 0;
  #movedAt = 0;

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

  /** Whether a statement would have to wait for what others have asked. */
  get isHeldUp(): boolean {
    return (
      this.#underWay >= MAX_IN_FLIGHT || (this.#underWay > 0 && performance.now() - this.#movedAt > STALL_TIMEOUT_MS)
    );
  }

  /** Throws `PipelineBroken` when the connection is at fault, and what PostgreSQL has against the statement. */
  async read<Row extends unknown[]>(statement: NamedStatement): Promise<QueryArrayResult<Row>> {
    if (this.#underWay === 0) this.#movedAt = performance.now();
    this.#underWay += 1;
    try {
      const client = await this.#connected.catch(() => undefined);
      if (!client) throw new PipelineBroken();
      return await client.query<Row>(statement);
    } catch (error) {
      throw isStatementError(error) ? error : new PipelineBroken();
    } finally {
      this.#underWay -= 1;
      this.#movedAt = performance.now();
    }
  }

  async close(): Promise<void> {
    const ended = this.#connected.then((client) => client.end()).catch(() => undefined);
    await Promise.race([ended, setTimeout(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
  }
}

/** What was asked has had no answer and may be asked elsewhere. */
export class PipelineBroken extends Error {}

function isStatementError(error: unknown): boolean {
  return error instanceof DatabaseError && !CONNECTION_ERRORS.test(error.code ?? "");
}
