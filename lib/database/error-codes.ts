/**
 * Connection exceptions, and a server that shuts down (PostgreSQL, appendix A): whether it had committed before, nobody
 * can tell.
 */
const IN_DOUBT = /^(?:08|57P)/;

/**
 * The code of PostgreSQL's own error (appendix A), as `pg` or Prisma throws it; undefined for any other. Errors of the
 * network have a `code` too, but only PostgreSQL's have a severity.
 */
export function postgresCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ("severity" in error && "code" in error) return String(error.code);
  const { driverAdapterError } = (error as { meta?: PrismaMeta }).meta ?? {};
  return driverAdapterError?.cause?.originalCode;
}

/** What Prisma's errors tell of the driver's (`@prisma/driver-adapter-utils`, Error). */
interface PrismaMeta {
  driverAdapterError?: { cause?: { originalCode?: string } };
}

/**
 * Whether PostgreSQL itself has answered with this error, so that it is known to have undone the transaction, its
 * COMMIT included.
 */
export function isRolledBack(error: unknown): boolean {
  const code = postgresCode(error);
  return code !== undefined && !IN_DOUBT.test(code);
}

export const UNIQUE_VIOLATION = "23505";

interface DatabaseError extends Error {
  code: string;
  constraint?: string;
}

/** Whether `pg` throws this error because PostgreSQL refused with `code`. */
export function isDatabaseError(error: unknown, code: string): error is DatabaseError {
  return error instanceof Error && "code" in error && error.code === code;
}
