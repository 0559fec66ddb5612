import type { Socket } from "node:net";

import type { ClientBase } from "pg";

/**
 * What a client of pg 8 has beside its types: its socket, its settings, and whether PostgreSQL has answered everything
 * that was asked.
 */
interface PgInternals {
  connection: { stream: Socket };
  connectionParameters: { query_timeout: number };
  readyForQuery: boolean;
}

/**
 * PostgreSQL ends a statement by itself at its `statement_timeout`. So long after it, in milliseconds, it will not
 * answer any more.
 */
const QUERY_TIMEOUT_GRACE_MS = 15_000;

/** The `query_timeout` of pg for statements that PostgreSQL allows `statementTimeout` milliseconds. */
export function queryTimeout(statementTimeout: number): number {
  return statementTimeout + QUERY_TIMEOUT_GRACE_MS;
}

/**
 * Has a connection destroyed when an answer cannot be read. pg reads within a listener of the socket, so what it throws
 * there (a value that is longer than a text of V8 can be) would end the process, or be swallowed with the statement
 * waiting for ever and its place in the pool lost. Now the statement fails with it, and the pool opens another
 * connection.
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
        error instanceof Error ? error : new Error("An answer of PostgreSQL cannot be read.", { cause: error }),
      );
    }
  });
}

/**
 * Ends a connection that is given back with a statement unanswered: the next one to use it would get that answer, or
 * none.
 */
export function endIfUnanswered(client: ClientBase & { end?: () => Promise<void> }): void {
  if (!internalsOf(client).readyForQuery) void client.end?.();
}

/** Whether pg has given up waiting for an answer, and not PostgreSQL refused. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof Error && error.message === "Query read timeout";
}

/** Has pg wait for the answers on this connection as long as PostgreSQL may take for one, in milliseconds. */
export function setQueryTimeout(client: ClientBase, statementTimeout: number): void {
  internalsOf(client).connectionParameters.query_timeout = queryTimeout(statementTimeout);
}

function internalsOf(client: ClientBase): PgInternals {
  return client as unknown as PgInternals;
}
