/**
 * The code of what a call threw ("ECONNREFUSED", "UND_ERR_SOCKET"). fetch wraps the socket's error as its cause, and
 * several addresses that were tried in turn make an AggregateError, of which the first counts.
 */
export function errorCode(thrown: unknown): string | undefined {
  for (let error: unknown = thrown, depth = 0; error instanceof Error && depth < 5; error = error.cause, depth += 1) {
    if ("code" in error && typeof error.code === "string") return error.code;
    if (error instanceof AggregateError) return errorCode(error.errors[0]);
  }
  return undefined;
}
