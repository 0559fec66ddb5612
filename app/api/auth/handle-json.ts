import { AppError } from "@/lib/errors";
import { readJson } from "@/lib/http/api/json-body";
import { problemResponse } from "@/lib/http/problem";
import { requestIdOf, isSameOrigin } from "@/lib/http/request";

/** A token and two passwords of maximal length fit into it. */
const MAX_BODY_BYTES = 8 * 1024;

/**
 * A 401 names a way to authenticate (RFC 9110 §15.5.2). No scheme for cookies is registered; browsers ignore this one,
 * whereas for Basic they would ask for a password themselves.
 */
const CHALLENGE = { "www-authenticate": 'Cookie realm="sign-in"' };

/**
 * Answers a JSON request of our own pages that needs no session. Refuses a request from any other origin before reading
 * it.
 */
export async function handleJson(
  request: Request,
  answer: (body: Record<string, unknown>) => Promise<Response>,
): Promise<Response> {
  try {
    if (!isSameOrigin(request)) throw new AppError("forbidden", "Only this service's own pages may send this.");
    const response = await answer(await readJson(request, MAX_BODY_BYTES));
    response.headers.set("cache-control", "no-store");
    return response;
  } catch (error) {
    const isSignedOut = error instanceof AppError && error.code === "unauthenticated";
    return problemResponse(error, requestIdOf(request), isSignedOut ? CHALLENGE : {});
  }
}
