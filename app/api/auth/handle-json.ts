import { AppError } from "@/lib/errors";
import { readJson } from "@/lib/http/api/json-body";
import { problemResponse } from "@/lib/http/problem";
import { requestIdOf, isSameOrigin } from "@/lib/http/request";

/** No more than a token and two passwords of the greatest length. */
const MAX_BODY_BYTES = 8 * 1024;

/**
 * Answers what one of our own pages sends as JSON, before or beside a session; from any other it is refused before
 * anything of it is looked at.
 */
export async function handleJson(
  request: Request,
  answer: (body: Record<string, unknown>) => Promise<Response>,
): Promise<Response> {
  try {
    if (!isSameOrigin(request))
      throw new AppError("forbidden", "This counts for requests of this service's own pages only.");
    const response = await answer(await readJson(request, MAX_BODY_BYTES));
    response.headers.set("cache-control", "no-store");
    return response;
  } catch (error) {
    return problemResponse(error, requestIdOf(request));
  }
}
