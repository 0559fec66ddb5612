import type { Socket } from "node:net";

import type { ClientBase } from "pg";

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
