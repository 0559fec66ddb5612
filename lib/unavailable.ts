import {
  CONNECTION_CLOSED,
  isOvertaken,
  LOCK_NOT_AVAILABLE,
  postgresCode,
  QUERY_CANCELED,
  READ_ONLY,
  TRANSACTION_ENDED,
} from "@/lib/database/error-codes";
import { AppError } from "@/lib/errors";
import { log } from "@/lib/log";

/** A restart of PostgreSQL takes about as long. */
export const RETRY_AFTER_SECONDS = 5;

const AGAIN = `Try again in ${RETRY_AFTER_SECONDS} seconds.`;

/** Usually nothing was changed. But an operation may have committed, and then failed to read its result. */
const LOOK = `${AGAIN} If it was to change something, look first whether it has.`;

const TELL = "If it stays so, tell whoever runs this service.";

const NOT_CONNECTED = `The service gets no connection to its database at the moment. ${LOOK}`;

const FULL = `The database has too little disk space, memory or connections left to carry this out. ${LOOK} ${TELL}`;

const ONLY_READS = `The database takes no changes at the moment. ${LOOK} ${TELL}`;

const IN_DOUBT =
  `The connection to the database broke before it had answered. ${AGAIN} A change may have been made nevertheless: ` +
  "look before you repeat it, or repeat it with the same `Idempotency-Key`.";

const TOO_SLOW =
  "This took longer than the database may work on it, so it was broken off, and this step changed nothing. Try " +
  "again later, or ask for less at once: a list without its total, or with a longer word.";

const NO_STORAGE = `The service does not reach its storage of files at the moment. ${AGAIN}`;

/** Insufficient resources (PostgreSQL, appendix A, class 53): the statement and its transaction are rolled back. */
const INSUFFICIENT = /^53/;

/** What node-postgres says of a connection that broke; it has no codes for it. */
const BROKEN = /^(?:Connection terminated|Query read timeout|Client (?:was closed|has encountered a connection error))/;

/** The same from the socket, and as Prisma names it: the server closed the connection, or the operation timed out. */
const BROKEN_CODE = /^(?:ECONNRESET|EPIPE|ETIMEDOUT|P1008|P1017)$/;

/**
 * What to tell the caller when the database is down, out of reach, full, read-only or too slow, or the storage of files
 * out of reach or busy; undefined for any other error. It is no refusal within the service, where an `AppError` means
 * that the work was judged: only what answers a caller asks here.
 */
export function unavailability(error: unknown): AppError | undefined {
  const detail = detailOf(error);
  if (detail === undefined) return undefined;
  // What took too long would take as long again, and clients repeat by themselves what names a time.
  const again = detail === TOO_SLOW ? {} : { retryAfter: RETRY_AFTER_SECONDS };
  return new AppError("service_unavailable", detail, { ...again, cause: error });
}

function detailOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  // Not by `instanceof`: Next evaluates modules once per bundle, and another bundle may have opened the pool.
  if (error.name === "NotConnected") return NOT_CONNECTED;
  if (isOfStorage(error)) return error.transient === true ? NO_STORAGE : undefined;
  const code = postgresCode(error);
  if (code !== undefined) return detailOfCode(code);
  const isBroken = "code" in error ? BROKEN_CODE.test(String(error.code)) : BROKEN.test(error.message);
  return isBroken ? IN_DOUBT : undefined;
}

/**
 * What to tell the caller when others were changing the same; undefined for any other error. The database is well then,
 * so it is no {@link unavailability}.
 */
export function contention(error: unknown): AppError | undefined {
  const code = postgresCode(error);
  return code === LOCK_NOT_AVAILABLE || isOvertaken(code) ? tooManyWriters(error) : undefined;
}

/**
 * What to tell the caller when others were changing the same, also after repeats. It is logged with its stack: a lock
 * that is not free for half a minute, or two that are taken in opposite orders, may be a defect.
 */
export function tooManyWriters(cause: unknown): AppError {
  log.warn({ err: cause, error_code: postgresCode(cause) }, "others held or took what a transaction needed");
  const detail =
    "Too many requests are changing the same at the moment. This one changed nothing; try again in 1 second.";
  return new AppError("too_many_requests", detail, { retryAfter: 1, cause });
}

/** Whether it is a `StorageError`: by its name, as above, and because `lib/files` stands above the kernel. */
function isOfStorage(error: unknown): error is Error & { transient: unknown } {
  return error instanceof Error && error.name === "StorageError" && "transient" in error;
}

function detailOfCode(code: string): string | undefined {
  if (INSUFFICIENT.test(code)) return FULL;
  if (code === QUERY_CANCELED) return TOO_SLOW;
  if (code === READ_ONLY) return ONLY_READS;
  if (TRANSACTION_ENDED.test(code)) return NOT_CONNECTED;
  return CONNECTION_CLOSED.test(code) ? IN_DOUBT : undefined;
}

interface Names {
  request_id?: string;
  what?: string;
  /** The reference that a page shows. */
  digest?: unknown;
}

/** Logs in one line that a caller was told so. An outage concerns every request, and no stack trace explains it. */
export function logUnavailability({ cause }: AppError, names: Names = {}): void {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const away = isOfStorage(cause) ? "the storage of files" : "the database";
  log.warn({ ...names, reason, error_code: postgresCode(cause) }, `${away} is unavailable`);
}
