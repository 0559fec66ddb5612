/**
 * Connection exceptions, and a server that shuts down (PostgreSQL, appendix A): whether it had committed before, nobody
 * can tell.
 */
const IN_DOUBT = /^(?:08|57P)/;

/**
 * Whether PostgreSQL itself has answered with this error, so that it is known to have undone the transaction, its
 * COMMIT included.
 */
export function isRolledBack(error: unknown): boolean {
  // Errors of the network have a `code` too, but only PostgreSQL's have a severity.
  return error instanceof Error && "severity" in error && "code" in error && !IN_DOUBT.test(String(error.code));
}

export const UNIQUE_VIOLATION = "23505";

interface DatabaseError extends Error {
  code: string;
  constraint?: string;
}

export function isDatabaseError(error: unknown, code: string): error is DatabaseError {
  return error instanceof Error && "code" in error && error.code === code;
}
