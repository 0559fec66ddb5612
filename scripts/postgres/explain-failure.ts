import { Fault } from "@/scripts/service/fault";

/** What `work` gives. An error of the database at `url` becomes a Fault that says what to check. */
export async function explained<T>(url: string, work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw error instanceof Fault ? error : explain(url, error);
  });
}

/** Without the password. It is the embedded server's where DATABASE_URL is not set. */
function explain(url: string, error: unknown): Fault {
  const check = isPasswordWrong(error)
    ? "the user and the password in it."
    : "that the server is running, that it is PostgreSQL 15 or newer, and that the user may create tables.";
  return new Fault(
    `The database could not be prepared: ${withoutPassword(messageOf(error), url)}\n` +
      `If it is that of DATABASE_URL, check ${check}`,
  );
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
