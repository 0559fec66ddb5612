import { AsyncLocalStorage } from "node:async_hooks";

import { Client, type Connection, Pool, type PoolClient, type PoolConfig, Query, type QueryConfig } from "pg";

import { ACROSS_ORGANIZATIONS, type OrganizationScope, organizationScope } from "@/lib/database/organization-scope";

/**
 * Sends the scope of each statement with it. Several statements before one Sync are one transaction (PostgreSQL manual
 * §54.2.3, "Pipelining"), so what is set for the transaction holds for the statement and ends with it, without a round
 * trip more: nothing is left on the connection for whoever has it next. Within BEGIN and COMMIT it is sent once.
 *
 * No row comes of the statements that set: their conditions are never true.
 */
const SET = {
  organization: {
    name: "scope organization",
    text: "SELECT WHERE set_config('app.organization_id', $1, true) IS NULL",
  },
  role: { name: "scope role", text: "SELECT WHERE set_config('role', $1, true) IS NULL" },
};

type Setting = keyof typeof SET;

const UNKNOWN = Symbol("unknown");

/** What ends or begins a transaction is no transaction's part. Most of it goes without Parse and Bind. */
const TRANSACTION = /^\s*(?:begin|start|commit|end|rollback|abort|savepoint|release)\b/i;

const ROLLBACK = /^\s*(?:rollback|abort)\b/i;

/** What pg's `Query` is beyond its published types (pg 8.23, lib/query.js). */
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

type Config = string | (QueryConfig & { submit?: unknown; query_timeout?: number });

const SentQuery = Query as unknown as new (config: Config, values?: unknown, callback?: Callback) => SentQuery;

class ScopedQuery extends SentQuery {
  readonly #client: ScopedClient;
  readonly #scope = organizationScope();
  /** How many answers come before the statement's own: those of what sets the scope. */
  owed = 0;

  constructor(client: ScopedClient, config: Config, values?: unknown, callback?: Callback) {
    super(config, values, callback);
    this.#client = client;
  }

  override submit(connection: Connection): Error | null {
    const isScoped = this.#client.differsFrom(this.#scope, this.text);
    // A text alone would go in a message of its own kind, which nothing can be sent together with.
    if (isScoped && !TRANSACTION.test(this.text)) this.queryMode = "extended";
    return super.submit(connection);
  }

  override prepare(connection: Connection): void {
    this.owed = this.#client.sendScope(connection, this.#scope);
    super.prepare(connection);
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    if (this.owed > 0) this.owed -= 1;
    else super.handleCommandComplete(message, connection);
  }

  override handleError(error: Error, connection: Connection): void {
    if (this.owed > 0) this.#client.forgetStatements();
    super.handleError(error, connection);
  }
}

/** pg's client, with each statement confined to the scope in which `query` is called. */
export class ScopedClient extends Client {
  /**
   * The scope of the transaction that is open; unknown when it was rolled back to a savepoint, which takes settings
   * back as well.
   */
  #scope: OrganizationScope | undefined | typeof UNKNOWN;
  readonly #prepared = new Set<string>();

  // The overloads of pg's types stand for one function.
  override query = ((config: Config, values?: unknown, callback?: Callback) => {
    if (typeof config !== "string" && typeof config?.submit === "function")
      return super.query(config as never, values as never, callback as never);
    const query = new ScopedQuery(this, config, values, callback);
    if (typeof config !== "string") query.query_timeout = config.query_timeout;
    if (query.callback) return super.query(query as never);
    return new Promise((resolve, reject) => {
      query.callback = (error, result) => (error ? reject(error) : resolve(result));
      super.query(query as never);
    }).catch((error: Error) => {
      // One that leads to whoever asked, instead of one that leads to the socket.
      Error.captureStackTrace(error);
      throw error;
    });
  }) as Client["query"];

  /**
   * Whether the scope of a statement has still to be set. A transaction that is not open has none, and one that was
   * rolled back to a savepoint any.
   */
  differsFrom(scope: OrganizationScope | undefined, text: string): boolean {
    if (!this.#isInTransaction) this.#scope = undefined;
    else if (ROLLBACK.test(text)) this.#scope = UNKNOWN;
    return this.#scope !== scope;
  }

  /** Sends what sets the scope, where it is not set. Gives how many answers that has. */
  sendScope(connection: Connection, scope: OrganizationScope | undefined): number {
    const before = this.#scope;
    // A transaction that has failed takes nothing but its end.
    if (before === scope || this.getTransactionStatus() === "E") return 0;
    if (this.#isInTransaction) this.#scope = scope;
    if (scope === ACROSS_ORGANIZATIONS) return this.#set(connection, "role", `${this.user}_across`);
    const reset = before === ACROSS_ORGANIZATIONS || before === UNKNOWN ? this.#set(connection, "role", "none") : 0;
    return reset + this.#set(connection, "organization", scope ?? "");
  }

  /** What failed may not have been prepared, or it may: it is prepared anew. */
  forgetStatements(): void {
    this.#prepared.clear();
  }

  get #isInTransaction(): boolean {
    return this.getTransactionStatus() === "T" || this.getTransactionStatus() === "E";
  }

  #set(connection: Connection, setting: Setting, value: string): 1 {
    const { name, text } = SET[setting];
    if (!this.#prepared.has(name)) {
      this.#prepared.add(name);
      connection.close({ type: "S", name }, true);
      connection.parse({ name, text, types: [] }, true);
    }
    connection.bind({ statement: name, values: [value] }, true);
    connection.execute({}, true);
    return 1;
  }

  /** pg takes each for that of the statement itself. */
  _handleParseComplete(): void {
    const { _getActiveQuery: active, _handleParseComplete: handle } = Client.prototype as unknown as Record<
      string,
      () => unknown
    >;
    const query = active?.call(this);
    if (!(query instanceof ScopedQuery && query.owed > 0)) handle?.call(this);
  }
}

/** A pool of such clients. Who waits for one gets it in a scope of their own, not in that of whoever gave it back. */
export class ScopedPool extends Pool {
  constructor(config: PoolConfig) {
    super({ ...config, Client: ScopedClient });
  }

  override connect = ((
    callback?: (error: Error | undefined, client: PoolClient | undefined, release: () => void) => void,
  ) => (callback ? super.connect(AsyncLocalStorage.bind(callback) as never) : super.connect())) as Pool["connect"];
}
