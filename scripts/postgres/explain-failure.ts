import { Fault } from "@/scripts/service/fault";

/** What `work` gives. An error of the database at `url` becomes a Fault that says what to check. */
export async function explained<T>(url: string, work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw explain(url, error);
  });
}

/** The Fault that says what to check after an error of the database at `url`, without its password. */
export function explain(url: string, error: unknown): Fault {
  if (error instanceof Fault) return error;
  return new Fault(
    `The database of DATABASE_URL could not be prepared: ${withoutPassword(messageOf(error), url)}\n` +
      "Check that the server is running, that it is PostgreSQL 15 or newer, and that the user may create tables.",
  );
}

/** When a name has several addresses, Node wraps the errors into one without a message. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === "") return error.errors.map(messageOf).join("; ");
  return error instanceof Error ? error.message : String(error);
}

function withoutPassword(message: string, url: string): string {
  const { password } = new URL(url);
  return password === ""
    ? message
    : message.replaceAll(password, "***").replaceAll(decodeURIComponent(password), "***");
}
