import type { z } from "zod";

import { authenticate } from "@/lib/http/authenticate";
import { problemResponse } from "@/lib/http/problem";
import { newId } from "@/lib/ids";
import { execute, JsonText, type Operation } from "@/lib/operation";

/**
 * Answers a request by running one operation: authenticates, collects the raw input, executes, and turns what was thrown into a problem.
 * `collect` reads path, query and body into the object that the operation's input schema parses.
 */
export async function handle<Input extends z.ZodType, Output extends z.ZodType>(
  request: Request,
  operation: Operation<Input, Output>,
  collect: () => unknown,
  status = 200,
): Promise<Response> {
  const requestId = newId();
  try {
    const context = await authenticate(request, requestId);
    const result = await execute(operation, context, await collect());
    const body = result instanceof JsonText ? result.text : JSON.stringify(result);
    return new Response(body, {
      status,
      headers: { "content-type": "application/json", "cache-control": "no-store", "x-request-id": requestId },
    });
  } catch (error) {
    return problemResponse(error, requestId);
  }
}
