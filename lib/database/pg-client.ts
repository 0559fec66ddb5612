import { AsyncLocalStorage } from "node:async_hooks";
import type { Socket } from "node:net";

import {
  Client,
  type ClientBase,
  type Connection,
  Pool,
  type PoolClient,
  type PoolConfig,
  Query,
  type QueryConfig,
} from "pg";

import { ACROSS_ORGANIZATIONS, type OrganizationScope, organizationScope } from "@/lib/database/organization-scope";

/**
 * Statements that begin a transaction or set the scope, sent together with the statement that follows. Several
 * statements before one Sync are one transaction (PostgreSQL manual §54.2.3, "Pipelining"). A setting that is local to
 * the transaction therefore applies to the statement and ends with it, without another round trip, and nothing stays on
 * the connection. Within BEGIN and COMMIT the scope is sent once.
 *
 * Those that set the scope return no row: their conditions are never true.
 */
const LEADING = {
  begin: { name: "begin", text: "BEGIN" },
  organization: {
    name: "scope organization",
    text: "SELECT WHERE set_config('app.organization_id', $1, true) IS NULL",
  },
  role: { name: "scope role", text: "SELECT WHERE set_config('role', $1, true) IS NULL" },
};

type Leading = keyof typeof LEADING;

const UNKNOWN = Symbol("unknown");

/** Statements that begin or end a transaction need no scope. Most are sent without Parse and Bind. */
const TRANSACTION = /^\s*(?:begin|start|commit|end|rollback|abort|savepoint|release)\b/i;

const ROLLBACK = /^\s*(?:rollback|abort)\b/i;

/** The parts of pg's `Query` that its types leave out (pg 8.23, lib/query.js). */
interface SentQuery {
  text: string;
  queryMode?: "extended" | undefined;
  query_timeout?: number | undefined;
  callback?: Callback | undefined;
  submit(connection: Connection): Error | null;
  prepare(connection: Connection): void;
  handleCommandComplete(message: unknown, connection: Connection): void;
  handleError(error: Error, connection: Connection): void;
}

type Callback = (error: Error | null, result?: unknown) => void;

type Config = string | (QueryConfig & { submit?: unknown; query_timeout?: number; isLast?: boolean });

const SentQuery = Query as unknown as new (config: Config, values?: unknown, callback?: Callback) => SentQuery;

class ScopedQuery extends SentQuery {
  readonly #client: ScopedClient;
  readonly #scope = organizationScope();
  readonly #isLast: boolean;
  /** How many answers to {@link LEADING} statements come before the statement's own. */
  pendingLeadingReplies = 0;

  constructor(client: ScopedClient, config: Config, values?: unknown, callback?: Callback) {
    super(config, values, callback);
    this.#client = client;
    this.#isLast = typeof config !== "string" && config.isLast === true;
  }

  override submit(connection: Connection): Error | null {
    const isScoped = this.#client.mustSendScope(this.#scope, this.text);
    // A plain text would be a simple query, which cannot be sent together with others.
    if (this.#client.mustSendBegin || (isScoped && !TRANSACTION.test(this.text))) this.queryMode = "extended";
    return super.submit(connection);
  }

  override prepare(connection: Connection): void {
    this.pendingLeadingReplies = this.#client.sendLeading(connection, this.#scope, this.#isLast);
    super.prepare(connection);
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    if (this.pendingLeadingReplies > 0) this.pendingLeadingReplies -= 1;
    else super.handleCommandComplete(message, connection);
  }

  override handleError(error: Error, connection: Connection): void {
    if (this.pendingLeadingReplies > 0) this.#client.clearPreparedStatements();
    super.handleError(error, connection);
  }
}

/** pg's client. Each statement is confined to the scope in which `query` is called. */
export class ScopedClient extends Client {
  /** The scope of the open transaction; unknown after a rollback to a savepoint, which also undoes settings. */
  #scope: OrganizationScope | undefined | typeof UNKNOWN;
  readonly #prepared = new Set<string>();
  /** BEGIN precedes the next statement, unless (optional) that is the last one too; it was omitted; it is not due. */
  #begin: "due" | "optional" | "omitted" | "none" = "none";

  // The overloads in pg's types are one function.
  override query = ((config: Config, values?: unknown, callback?: Callback) => {
    if (this.#begin === "omitted") throw new Error("The transaction has ended with the statement that was its last.");
    if (typeof config !== "string" && typeof config?.submit === "function") {
      if (this.mustSendBegin) throw new Error("Begin the transaction with a statement whose answer is not streamed.");
      return super.query(config as never, values as never, callback as never);
    }
    const query = new ScopedQuery(this, config, values, callback);
    if (typeof config !== "string") query.query_timeout = config.query_timeout;
    if (query.callback) return super.query(query as never);
    return new Promise((resolve, reject) => {
      query.callback = (error, result) => (error ? reject(error) : resolve(result));
      super.query(query as never);
    }).catch((error: Error) => {
      // A stack trace of the caller, instead of one of the socket.
      Error.captureStackTrace(error);
      throw error;
    });
  }) as Client["query"];

  /**
   * Begins a transaction. BEGIN is sent together with its first statement, which saves a round trip. With
   * `mayBeSingle`, a first statement with `isLast` is sent without BEGIN: PostgreSQL commits it with its answer, which
   * saves another one.
   */
  begin({ mayBeSingle }: { mayBeSingle: boolean }): void {
    this.#begin = mayBeSingle ? "optional" : "due";
  }

  /** Ends the transaction. One without a statement has not begun, and a single statement has ended it. */
  async endTransaction(text: "COMMIT" | "ROLLBACK"): Promise<void> {
    const before = this.#begin;
    this.#begin = "none";
    if (before === "none") await this.query(text);
    // pg reports an error before the connection is ready again, and the pool ends one that is not.
    else if (before === "omitted" && text === "ROLLBACK") await this.query("SELECT");
  }

  get mustSendBegin(): boolean {
    return this.#begin === "due" || this.#begin === "optional";
  }

  /**
   * Whether the statement's scope must be set first. Outside of a transaction no scope is set, and after a rollback to
   * a savepoint it is unknown.
   */
  mustSendScope(scope: OrganizationScope | undefined, text: string): boolean {
    if (!this.#isInTransaction) this.#scope = undefined;
    else if (ROLLBACK.test(text)) this.#scope = UNKNOWN;
    return this.#scope !== scope;
  }

  /** Sends BEGIN and the statements that set the scope, where needed. Returns how many. */
  sendLeading(connection: Connection, scope: OrganizationScope | undefined, isLast: boolean): number {
    if (!this.mustSendBegin) return this.#sendScope(connection, scope, this.#isInTransaction);
    const isSingle = isLast && this.#begin === "optional";
    this.#begin = isSingle ? "omitted" : "none";
    const begun = isSingle ? 0 : this.#lead(connection, "begin", []);
    return begun + this.#sendScope(connection, scope, !isSingle);
  }

  #sendScope(connection: Connection, scope: OrganizationScope | undefined, staysSet: boolean): number {
    const before = this.#scope;
    // A failed transaction accepts only its end.
    if (before === scope || this.getTransactionStatus() === "E") return 0;
    if (staysSet) this.#scope = scope;
    if (scope === ACROSS_ORGANIZATIONS) return this.#lead(connection, "role", [`${this.user}_across`]);
    const reset = before === ACROSS_ORGANIZATIONS || before === UNKNOWN ? this.#lead(connection, "role", ["none"]) : 0;
    return reset + this.#lead(connection, "organization", [scope ?? ""]);
  }

  /** After a failure it is unknown which statements are prepared, so they are prepared again. */
  clearPreparedStatements(): void {
    this.#prepared.clear();
  }

  get #isInTransaction(): boolean {
    return this.getTransactionStatus() === "T" || this.getTransactionStatus() === "E";
  }

  #lead(connection: Connection, leading: Leading, values: string[]): 1 {
    const { name, text } = LEADING[leading];
    if (!this.#prepared.has(name)) {
      this.#prepared.add(name);
      connection.close({ type: "S", name }, true);
      connection.parse({ name, text, types: [] }, true);
    }
    connection.bind({ statement: name, values }, true);
    connection.execute({}, true);
    return 1;
  }

  /** pg would take each ParseComplete for that of the statement itself. */
  _handleParseComplete(): void {
    const { _getActiveQuery: active, _handleParseComplete: handle } = Client.prototype as unknown as Record<
      string,
      () => unknown
    >;
    const query = active?.call(this);
    if (!(query instanceof ScopedQuery && query.pendingLeadingReplies > 0)) handle?.call(this);
  }
}

type Connected = (error: Error | undefined, client: PoolClient | undefined, release: () => void) => void;

/**
 * A caller got no connection: all were in use for too long, or PostgreSQL does not accept another one. Nothing was
 * sent. It is told by its name (lib/unavailable.ts).
 */
class NotConnected extends Error {
  override readonly name = "NotConnected";

  constructor(cause: Error) {
    super(cause.message, { cause });
  }
}

/**
 * A pool of such clients. A caller that waited for a client gets it in the caller's own scope, not in that of whoever
 * released it. Fails with {@link NotConnected}.
 */
export class ScopedPool extends Pool {
  constructor(config: PoolConfig) {
    super({ ...config, Client: ScopedClient });
  }

  override connect = ((callback?: Connected) => {
    if (callback) {
      const named: Connected = (error, client, release) => callback(error && new NotConnected(error), client, release);
      return super.connect(AsyncLocalStorage.bind(named) as never);
    }
    return super.connect().catch((error: Error) => {
      throw new NotConnected(error);
    });
  }) as Pool["connect"];
}

/**
 * The parts of a pg 8 client that its types leave out: its socket, its settings, and whether every statement has its
 * answer.
 */
interface PgInternals {
  connection: { stream: Socket };
  connectionParameters: { query_timeout: number };
  readyForQuery: boolean;
}

/** PostgreSQL cancels a statement at its `statement_timeout`. This long after it, no answer is to be expected. */
const QUERY_TIMEOUT_GRACE_MS = 15_000;

/** The `query_timeout` of pg for statements that PostgreSQL allows `statementTimeout` milliseconds. */
export function queryTimeout(statementTimeout: number): number {
  return statementTimeout + QUERY_TIMEOUT_GRACE_MS;
}

/**
 * Destroys a connection whose answer cannot be read. pg parses within a listener of the socket. An error there (a value
 * longer than a V8 string) would end the process, or leave the statement waiting forever and its place in the pool
 * lost. Now the statement fails with that error, and the pool opens another connection.
 */
export function guardConnection(client: ClientBase): void {
  const { stream } = internalsOf(client).connection;
  const readers = stream.listeners("data") as ((chunk: Buffer) => void)[];
  stream.removeAllListeners("data");
  stream.on("data", (chunk: Buffer) => {
    try {
      for (const read of readers) read(chunk);
    } catch (error) {
      stream.destroy(
        error instanceof Error ? error : new Error("Cannot read an answer of PostgreSQL.", { cause: error }),
      );
    }
  });
}

/**
 * Ends a connection that is released with an unanswered statement: the next statement on it would get that answer, or
 * none.
 */
export function endIfUnanswered(client: ClientBase & { end?: () => Promise<void> }): void {
  if (!internalsOf(client).readyForQuery) void client.end?.();
}

/** Whether pg stopped waiting for an answer, rather than PostgreSQL refusing. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof Error && error.message === "Query read timeout";
}

/** Sets how long pg waits for an answer on this connection, from the statement timeout in milliseconds. */
export function setQueryTimeout(client: ClientBase, statementTimeout: number): void {
  internalsOf(client).connectionParameters.query_timeout = queryTimeout(statementTimeout);
}

function internalsOf(client: ClientBase): PgInternals {
  return client as unknown as PgInternals;
}
