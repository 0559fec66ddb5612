import type { Context } from "@/lib/context";
import { AppError } from "@/lib/errors";
import { authenticate, bearerChallenge } from "@/lib/http/api/authenticate";
import { acquireExportSlot, acquireSlot, inWriteSlot } from "@/lib/http/api/concurrency-limit";
import {
  abandonAttempt,
  beginAttempt,
  keepResponse,
  keepWithWork,
  replay,
  runAttempt,
} from "@/lib/http/api/idempotency";
import { guardDownload } from "@/lib/http/api/guard-download";
import { IDEMPOTENCY_KEY } from "@/lib/http/api/idempotency-key";
import { assertNoUnreadBody } from "@/lib/http/api/json-body";
import {
  assertNoParameters,
  mergeInput,
  type Query,
  readQuery,
  takesQuery,
  toParameterError,
} from "@/lib/http/api/parameters";
import { countRequest } from "@/lib/http/api/rate-limit";
import { assertNoPreconditions, readPreconditions, respond } from "@/lib/http/api/respond";
import { problemResponse } from "@/lib/http/problem";
import { isSafe, onResponseSent, REQUEST_ID, requestIdOf, withHeaders } from "@/lib/http/request";
import { inputNames } from "@/lib/input/parse-input";
import { unavailability } from "@/lib/unavailable";
import { assertAuthorized, Download, type Operation, type Prepared, prepare } from "@/lib/operation";

/** One request, as each step of {@link handle} needs it. */
interface Call {
  request: Request;
  requestId: string;
  operation: Operation;
  context: Context;
  /** What the route has read from path and body. */
  collected: unknown;
  query: Query;
}

/**
 * Answers a request by running one operation: authenticates, counts, checks the scope, waits for a slot of the
 * organization, collects the raw input, runs the operation, and turns errors into problems. `collect` reads path and
 * body (`readJson`) into one object. The parameters of a GET or DELETE are input too; with other methods, or if the
 * path already gives that name, a parameter is refused as unknown.
 */
export async function handle(request: Request, operation: Operation, collect: () => unknown): Promise<Response> {
  const requestId = requestIdOf(request);
  let limits: Record<string, string> = {};
  let releaseSlot: (() => void) | undefined;
  try {
    const context = await authenticate(request, requestId);
    const { headers, refusal } = await countRequest(context);
    limits = headers;
    if (refusal) throw refusal;
    // Before the slot: whoever may not do this could hold one by a body that never ends.
    assertAuthorized(operation, context);
    // Before the body is read, so that a waiting request occupies no memory for it.
    releaseSlot = await slotOf(request, operation, context);
    context.preconditions = readPreconditions(request.headers);
    const collected = await collect();
    const query = readQuery(request.url);
    const response = await runCall({ request, requestId, operation, context, collected, query });
    return withHeaders(response, { ...limits, [REQUEST_ID]: requestId });
  } catch (error) {
    return withHeaders(toProblem(error, { request, requestId, operation }), limits);
  } finally {
    if (releaseSlot) onResponseSent(requestId, releaseSlot);
  }
}

/** A slot of the kind that an operation needs. A download that is no export is the content of one file. */
async function slotOf(
  { signal }: Request,
  { exports, downloads }: Operation,
  { organizationId }: Context,
): Promise<() => void> {
  if (exports) return acquireExportSlot(organizationId, exports);
  return acquireSlot(organizationId, signal, downloads && "downloads of files");
}

async function runCall(call: Call): Promise<Response> {
  const { request, operation, context } = call;
  const prepared = prepareCall(call);
  if (request.body !== null) await assertNoUnreadBody(request);
  if (isSafe(request.method)) return runPrepared(call, prepared);
  if (!operation.conditional) assertNoPreconditions(context.preconditions ?? {});
  return inWriteSlot(request.signal, () => runOnce(call, prepared));
}

/** Runs the operation, unless it has been carried out under the request's idempotency key. */
async function runOnce(call: Call, prepared: Prepared): Promise<Response> {
  const { request, context, collected } = call;
  if (!hasIdempotencyKey(call)) return runPrepared(call, prepared);
  const attempt = await beginAttempt({ request, context, input: collected });
  if (attempt.kept) return replay(attempt.kept);
  context.keepAnswer = (client, result) => keepWithWork(client, attempt, responseTo(call, result));
  try {
    const response = await runAttempt(attempt, () => runPrepared(call, prepared));
    await keepResponse(attempt, response);
    return response;
  } catch (error) {
    await abandonAttempt(attempt, error);
    throw error;
  }
}

/** Checks scope and input. Faults of the query are reported as faults of parameters. */
function prepareCall(call: Call): Prepared {
  const { request, operation, context, collected, query } = call;
  if (!takesQuery(request.method)) {
    assertNoParameters(query);
    return prepare(operation, context, collected);
  }
  try {
    return prepare(operation, context, mergeInput(query, collected));
  } catch (error) {
    throw inTermsOfQuery(error, call);
  }
}

/**
 * Whether a request that writes is to be carried out only once. Operations that only our own pages may run are left
 * out: their responses can hold a secret, and no such response is kept.
 */
function hasIdempotencyKey({ request, operation }: Pick<Call, "request" | "operation">): boolean {
  return operation.people === undefined && !isSafe(request.method) && request.headers.has(IDEMPOTENCY_KEY);
}

/** Runs the operation. A refusal becomes its problem here, so that a repeat gets it too; a defect is thrown. */
async function runPrepared(call: Call, prepared: Prepared): Promise<Response> {
  try {
    const result = await prepared.run();
    return responseTo(
      call,
      result instanceof Download ? guardDownload(result, () => assertStillAllowed(call)) : result,
    );
  } catch (thrown) {
    const error = inTermsOfQuery(thrown, call);
    if (error instanceof AppError) return toProblem(error, call);
    throw error;
  }
}

/**
 * Throws once the session or the token of a request has ended, or its person may not do this any more. While the
 * database is away, nobody knows, and what needs no database goes on.
 */
async function assertStillAllowed({ request, requestId, operation }: Asked): Promise<void> {
  try {
    assertAuthorized(operation, await authenticate(request, requestId));
  } catch (error) {
    if (!unavailability(error)) throw error;
  }
}

function responseTo({ request, operation, context }: Call, result: unknown): Response {
  const status = operation.status ?? 200;
  return respond({ request, operation, preconditions: context.preconditions ?? {}, result, status });
}

type Translated = Pick<Call, "request" | "operation" | "collected" | "query">;

/** Reports faults of the input as faults of the query, if that is where the input came from. */
function inTermsOfQuery(error: unknown, { request, operation, collected, query }: Translated): unknown {
  if (!takesQuery(request.method) || !(error instanceof AppError && error.code === "invalid_request")) return error;
  const inPath = Object.keys(collected as object);
  const known = inputNames(operation.input).filter((name) => !inPath.includes(name));
  return toParameterError(error, query, known);
}

type Asked = Pick<Call, "request" | "requestId" | "operation">;

function toProblem(error: unknown, { request, requestId, operation }: Asked): Response {
  return problemResponse(error, requestId, challenge(error, request, operation));
}

/** A missing scope is answered with the one to request (RFC 6750 §3.1). */
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
