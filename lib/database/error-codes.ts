/**
 * Connection exceptions and a server shutdown (PostgreSQL, appendix A). Whether the transaction was committed before is
 * unknown.
 */
export const CONNECTION_CLOSED = /^(?:08|57P)/;

/** The transaction was idle or open for too long, as that of a process that was frozen. It is rolled back. */
export const TRANSACTION_ENDED = /^25P0[34]$/;

/** The server takes no changes: a standby, as the former server after a failover, or one whose disk is nearly full. */
export const READ_ONLY = "25006";

/**
 * The code of a PostgreSQL error (appendix A), as `pg` or Prisma throws it; undefined for any other error. Network
 * errors have a `code` too, but only PostgreSQL's have a severity.
 */
export function postgresCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ("severity" in error && "code" in error) return String(error.code);
  const { driverAdapterError } = (error as { meta?: PrismaMeta }).meta ?? {};
  return driverAdapterError?.cause?.originalCode;
}

/** The driver's error within Prisma's (`@prisma/driver-adapter-utils`, Error). */
interface PrismaMeta {
  driverAdapterError?: { cause?: { originalCode?: string } };
}

/**
 * Whether PostgreSQL answered with this error. It has then rolled the transaction back, even where the statement was
 * COMMIT.
 */
export function isRolledBack(error: unknown): boolean {
  const code = postgresCode(error);
  return code !== undefined && !CONNECTION_CLOSED.test(code);
}

export const UNIQUE_VIOLATION = "23505";

export const DEADLOCK_DETECTED = "40P01";

/**
 * Whether PostgreSQL rolled the transaction back in favor of another one: serialization_failure, deadlock_detected
 * (appendix A, class 40).
 */
export function isOvertaken(code: string | undefined): boolean {
  return code === "40001" || code === DEADLOCK_DETECTED;
}

/** A statement took longer than `statement_timeout`, or somebody cancelled it. */
export const QUERY_CANCELED = "57014";

/** Another transaction held a lock for longer than `lock_timeout`. */
export const LOCK_NOT_AVAILABLE = "55P03";
