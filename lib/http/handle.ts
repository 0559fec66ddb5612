import type { z } from "zod";

import type { Context } from "@/lib/context";
import { AppError } from "@/lib/errors";
import { authenticate } from "@/lib/http/authenticate";
import { bearerChallenge } from "@/lib/http/challenge";
import { asParameterError, type Parameters, readParameters, refuseParameters } from "@/lib/http/parameters";
import { problemResponse } from "@/lib/http/problem";
import { REQUEST_ID, requestIdOf } from "@/lib/http/request-id";
import { execute, JsonText, type Operation } from "@/lib/operation";
import { inputNames } from "@/lib/parse-input";

/**
 * Answers a request by running one operation: authenticates, collects the raw input, executes, and turns what was thrown into a problem.
 * `collect` reads path and body (`readJson`) into one object. The query is read here: the parameters of a GET or DELETE are input too;
 * elsewhere, and where the path has taken the name, a parameter is refused as unknown.
 */
export async function handle<Input extends z.ZodType, Output extends z.ZodType>(
  request: Request,
  operation: Operation<Input, Output>,
  collect: () => unknown,
  status = 200,
): Promise<Response> {
  const requestId = requestIdOf(request);
  try {
    const context = await authenticate(request, requestId);
    const result = await run(request, operation, context, await collect());
    return respond(result instanceof JsonText ? result.text : JSON.stringify(result), status, requestId);
  } catch (error) {
    return problemResponse(error, requestId, challenge(error, request, operation));
  }
}

/** A missing scope is answered with the one to ask for (RFC 6750 §3.1). */
function challenge(error: unknown, request: Request, operation: Operation): HeadersInit {
  if (!(error instanceof AppError && error.code === "insufficient_scope")) return {};
  const scopes = operation.scopes.slice(0, 1);
  return { "www-authenticate": bearerChallenge(request, { error: { code: "insufficient_scope", description: error.message }, scopes }) };
}

async function run<Input extends z.ZodType, Output extends z.ZodType>(
  request: Request,
  operation: Operation<Input, Output>,
  context: Context,
  collected: unknown,
) {
  const query = readParameters(request.url);
  if (!takesParameters(request.method)) {
    if (Object.keys(query).length > 0) throw refuseParameters(Object.keys(query), []);
    return execute(operation, context, collected);
  }
  try {
    return await execute(operation, context, merge(query, collected));
  } catch (error) {
    if (!(error instanceof AppError && error.code === "invalid_request")) throw error;
    const taken = Object.keys(collected as object);
    throw asParameterError(
      error,
      query,
      inputNames(operation.input).filter((name) => !taken.includes(name)),
    );
  }
}

function takesParameters(method: string): boolean {
  return method === "GET" || method === "HEAD" || method === "DELETE";
}

/** A parameter whose name the path has taken becomes a list, which no schema accepts, so that it is refused along with all other faults. */
function merge(query: Parameters, collected: unknown): Record<string, unknown> {
  const input: Record<string, unknown> = { ...query, ...(collected as Record<string, unknown>) };
  for (const name of Object.keys(collected as object)) {
    if (Object.hasOwn(query, name)) input[name] = [query[name]];
  }
  return input;
}

function respond(body: string, status: number, requestId: string): Response {
  const headers = { "content-type": "application/json", "cache-control": "no-store", [REQUEST_ID]: requestId };
  return new Response(body, { status, headers });
}
