import { Fault } from "@/scripts/service/fault";

/** What `work` gives. An error of the database at `url` becomes a Fault that says what to check. */
export async function explained<T>(url: string, work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw error instanceof Fault ? error : explain(url, error);
  });
}

/** Without the password. It is the embedded server's where DATABASE_URL is not set. */
function explain(url: string, error: unknown): Fault {
  return new Fault(
    `The database could not be prepared: ${withoutPassword(messageOf(error), url)}\n` +
      `If it is that of DATABASE_URL, check ${whatToCheck(error)}`,
  );
}

function whatToCheck(error: unknown): string {
  if (isTlsFault(error)) return `${TLS_SETTINGS}.`;
  if (isRefusedUnencrypted(error)) return `${RULES_AND_TLS}.`;
  if (isPasswordWrong(error)) return "the user and the password in it.";
  return "that the server is running, that it is PostgreSQL 15 or newer, and that the user may create tables.";
}

/** What to look at where {@link isTlsFault}. */
export const TLS_SETTINGS = "sslmode and sslrootcert in it (docs/deploy.md, “TLS to PostgreSQL”)";

/** Codes of Node and OpenSSL for certificates and handshakes (Node's manual, tls, “X509 certificate error codes”). */
const TLS_CODE = /^(?:CERT_|DEPTH_ZERO_|ERR_SSL_|ERR_TLS_|HOSTNAME_|INVALID_CA|SELF_SIGNED_|UNABLE_TO_)/;

/**
 * Whether a connection failed because the server offers no encryption, because its certificate is not trusted, or
 * because the file of sslrootcert cannot be read.
 */
export function isTlsFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code = "", syscall, message, cause } = error as NodeJS.ErrnoException;
  return TLS_CODE.test(code) || message.includes("does not support SSL") || syscall === "open" || isTlsFault(cause);
}

/** What to look at where {@link isRefusedUnencrypted}. */
export const RULES_AND_TLS = `${TLS_SETTINGS}, and that pg_hba.conf there allows this machine, user and database`;

/** Whether pg_hba.conf refuses a connection, perhaps because it is not encrypted: PostgreSQL says no more. */
export function isRefusedUnencrypted(error: unknown): boolean {
  return error instanceof Error && (error.message.endsWith(", no encryption") || isRefusedUnencrypted(error.cause));
}

/** `invalid_password`, also of a user that there is not (PostgreSQL, appendix A). */
function isPasswordWrong(error: unknown): boolean {
  return (error as { code?: unknown }).code === "28P01";
}

/** When a name has several addresses, Node wraps the errors into one without a message. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === "") return error.errors.map(messageOf).join("; ");
  return error instanceof Error ? error.message : String(error);
}

/** The message without the password of `url`, which some messages contain. */
export function withoutPassword(message: string, url: string): string {
  const { password } = new URL(url);
  return password === ""
    ? message
    : message.replaceAll(password, "***").replaceAll(decodeURIComponent(password), "***");
}
