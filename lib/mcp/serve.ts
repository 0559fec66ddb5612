import {
  createMcpHandler,
  isLegacyRequest,
  ProtocolErrorCode,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";

import { AppError } from "@/lib/errors";
import { authenticateToken } from "@/lib/http/api/authenticate";
import { acquireSlot } from "@/lib/http/api/concurrency-limit";
import { readJsonValue } from "@/lib/http/api/json-body";
import { countRequest } from "@/lib/http/api/rate-limit";
import { problemResponse } from "@/lib/http/problem";
import { onResponseSent, REQUEST_ID, requestIdOf, withHeaders } from "@/lib/http/request";
import { isObject } from "@/lib/input/bounded-json";
import { authInfoOf, type Call, callIn, callOf } from "@/lib/mcp/call";
import { assertOwnSite } from "@/lib/mcp/own-site";
import { serverFor } from "@/lib/mcp/server";

/** Nothing that this server lists ever changes, so there is nothing to subscribe to. */
const handler = createMcpHandler(({ authInfo }) => serverFor(callIn(authInfo)), {
  legacy: "reject",
  maxSubscriptions: 0,
});

/**
 * Answers a request to the MCP server, in the revisions of `docs/mcp.md`: checks Origin and Host (MCP, Streamable HTTP,
 * "Security & Endpoint"), authenticates, counts, waits for a slot and reads the body as the REST API does, and then
 * lets the SDK serve it without a session.
 */
export async function serveMcp(request: Request): Promise<Response> {
  const requestId = requestIdOf(request);
  let limits: Record<string, string> = {};
  let releaseSlot: (() => void) | undefined;
  let call: Call | undefined;
  let id: MessageId = null;
  try {
    assertOwnSite(request);
    const context = await authenticateToken(request, requestId);
    const { headers, refusal } = await countRequest(context);
    limits = headers;
    if (refusal) throw refusal;
    releaseSlot = await acquireSlot(context.organizationId, request.signal);
    const { value: message, refusal: unreadable } = await readJsonValue(request);
    id = idOf(message);
    call = callOf(context, message, unreadable);
    const response = await respond(request, call, message);
    return withHeaders(response, { ...limits, [REQUEST_ID]: requestId, "cache-control": "no-store" });
  } catch (error) {
    return withHeaders(await errorResponse(error, requestId, id), limits);
  } finally {
    if (releaseSlot) void releaseAfter(call, requestId, releaseSlot);
  }
}

/** Null if the request was refused before its id was read. */
type MessageId = string | number | null;

function idOf(message: unknown): MessageId {
  const id = isObject(message) ? message.id : null;
  return typeof id === "string" || typeof id === "number" ? id : null;
}

/** A refusal of a whole request, with the status and headers that it has over REST (JSON-RPC 2.0 §5). */
async function errorResponse(thrown: unknown, requestId: string, id: MessageId): Promise<Response> {
  const response = problemResponse(thrown, requestId);
  const data = (await response.json()) as { detail: string };
  const code = errorCodeOf(thrown);
  const { status, headers } = response;
  headers.set("content-type", "application/json");
  return Response.json({ jsonrpc: "2.0", id, error: { code, message: data.detail, data } }, { status, headers });
}

/** JSON-RPC 2.0 §5.1. */
function errorCodeOf(thrown: unknown): ProtocolErrorCode {
  if (!(thrown instanceof AppError)) return ProtocolErrorCode.InternalError;
  return thrown.code === "invalid_body" ? ProtocolErrorCode.ParseError : ProtocolErrorCode.InvalidRequest;
}

async function respond(request: Request, call: Call, parsedBody: unknown): Promise<Response> {
  const options = { authInfo: authInfoOf(call), parsedBody };
  if (!(await isLegacyRequest(request, parsedBody))) return handler.fetch(request, options);
  const server = serverFor(call);
  // One answer of JSON: no tool sends anything before its result.
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  return transport.handleRequest(request, options);
}

/** The slot is also taken by what a tool still does after its timeout. */
async function releaseAfter(call: Call | undefined, requestId: string, release: () => void): Promise<void> {
  await Promise.allSettled([call?.work]);
  onResponseSent(requestId, release);
}
