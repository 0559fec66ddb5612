import { isId, newId } from "@/lib/ids";

/** The header that carries it, in answers and from the web process to the routes. */
export const REQUEST_ID = "x-request-id";

/**
 * The id of a request, as answer, problem and log name it: the one that the web process has given it (scripts/web.ts), which overwrites
 * what a client sends. Without a web process before it, a new one.
 */
export function requestIdOf(request: Request): string {
  const given = request.headers.get(REQUEST_ID);
  return given !== null && isId(given) ? given : newId();
}
