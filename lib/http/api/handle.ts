import type { z } from "zod";

import type { Context } from "@/lib/context";
import { inOrganization } from "@/lib/database/organization-scope";
import { AppError } from "@/lib/errors";
import { authenticate, bearerChallenge } from "@/lib/http/api/authenticate";
import { acquireSlot, onResponseSent } from "@/lib/http/api/concurrency-limit";
import { answerOnce } from "@/lib/http/api/idempotency";
import { assertNoUnreadBody } from "@/lib/http/api/json-body";
import { toParameterError, readQuery, assertNoParameters, takesQuery, mergeInput } from "@/lib/http/api/parameters";
import { countRequest } from "@/lib/http/api/rate-limit";
import { readPreconditions, assertNoPreconditions, respond } from "@/lib/http/api/respond";
import { problemResponse } from "@/lib/http/problem";
import { REQUEST_ID, requestIdOf, isSafe } from "@/lib/http/request";
import { inputNames } from "@/lib/input/parse-input";
import { type Operation, prepare } from "@/lib/operation";

/**
 * Answers a request by running one operation: authenticates, counts, waits until its organization may have one more in
 * hand, collects the raw input, executes, and turns what was thrown into a problem. `collect` reads path and body
 * (`readJson`) into one object. The query is read here: the parameters of a GET or DELETE are input too; elsewhere, and
 * where the path has taken the name, a parameter is refused as unknown. `status` is that of a success, unless an upsert
 * creates.
 */
export async function handle<Input extends z.ZodType, Output extends z.ZodType>(
  request: Request,
  operation: Operation<Input, Output>,
  collect: () => unknown,
  status = 200,
): Promise<Response> {
  const requestId = requestIdOf(request);
  const asProblem = (error: unknown) => problemResponse(error, requestId, challenge(error, request, operation));
  let limits: Record<string, string> = {};
  let leave: (() => void) | undefined;
  try {
    const context = await authenticate(request, requestId);
    const { headers, refusal } = await countRequest(context);
    limits = headers;
    if (refusal) throw refusal;
    // Before the body is read: what waits holds nothing.
    leave = await acquireSlot(context.organizationId, request.signal);
    context.preconditions = readPreconditions(request.headers);
    const response = await carryOut({ request, operation, context, status }, await collect(), asProblem);
    return withHeaders(response, { ...limits, [REQUEST_ID]: requestId });
  } catch (error) {
    return withHeaders(asProblem(error), limits);
  } finally {
    if (leave) onResponseSent(requestId, leave);
  }
}

interface Call<Input extends z.ZodType, Output extends z.ZodType> {
  request: Request;
  operation: Operation<Input, Output>;
  context: Context;
  status: number;
}

async function carryOut<Input extends z.ZodType, Output extends z.ZodType>(
  call: Call<Input, Output>,
  collected: unknown,
  asProblem: (error: unknown) => Response,
): Promise<Response> {
  const { request, operation, context, status } = call;
  const { preconditions = {} } = context;
  const work = begin(call, collected);
  await assertNoUnreadBody(request);
  if (!isSafe(request.method) && !operation.conditional) assertNoPreconditions(preconditions);
  const { ifNoneMatch: _, ...lasting } = preconditions;
  const asked = operation.volatile ? lasting : preconditions;
  const answer = async () => respond({ request, operation, preconditions: asked, result: await work(), status });
  // What only our own pages may do can give out a secret, and no answer with one is kept.
  if (operation.people !== undefined) return answer();
  return inOrganization(context.organizationId, () =>
    answerOnce({ request, context, input: collected }, answer, asProblem),
  );
}

/** Checks what came, and gives what is left to do. */
function begin<Input extends z.ZodType, Output extends z.ZodType>(
  { request, operation, context }: Call<Input, Output>,
  collected: unknown,
) {
  const query = readQuery(request.url);
  if (!takesQuery(request.method)) {
    if (Object.keys(query).length > 0) throw assertNoParameters(Object.keys(query), []);
    return prepare(operation, context, collected);
  }
  const inTermsOfQuery = (error: unknown) => {
    if (!(error instanceof AppError && error.code === "invalid_request")) return error;
    const taken = Object.keys(collected as object);
    const known = inputNames(operation.input).filter((name) => !taken.includes(name));
    return toParameterError(error, query, known);
  };
  try {
    const work = prepare(operation, context, mergeInput(query, collected));
    return async () => {
      try {
        return await work();
      } catch (error) {
        throw inTermsOfQuery(error);
      }
    };
  } catch (error) {
    throw inTermsOfQuery(error);
  }
}

/** A missing scope is answered with the one to ask for (RFC 6750 §3.1). */
function challenge(error: unknown, request: Request, operation: Operation): HeadersInit {
  if (!(error instanceof AppError && error.code === "insufficient_scope")) return {};
  const scopes = operation.scopes.slice(0, 1);
  return {
    "www-authenticate": bearerChallenge(request, {
      error: { code: "insufficient_scope", description: error.message },
      scopes,
    }),
  };
}

function withHeaders(response: Response, headers: Record<string, string>): Response {
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}
