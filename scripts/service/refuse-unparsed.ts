import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

import { AppError } from "@/lib/errors";
import { problemResponse } from "@/lib/http/problem";
import { newId } from "@/lib/ids";

/** Status and sentence for the errors of Node's HTTP parser. */
const PARSE_ERRORS: Record<string, [status: string, detail: string]> = {
  HPE_HEADER_OVERFLOW: ["431 Request Header Fields Too Large", "Address and headers together may have at most 16 KB."],
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "The request did not arrive in time."],
};

interface UnparsedError extends NodeJS.ErrnoException {
  /** The bytes in which the parser stopped. */
  rawPacket?: Buffer;
}

/** The latest response of each connection. */
const pendingResponses = new WeakMap<Duplex, ServerResponse>();

/**
 * Remembers the response that a connection waits for. A refusal of the next request on it must be sent after that
 * response.
 */
export function trackPendingResponse(socket: Duplex, response: ServerResponse): void {
  pendingResponses.set(socket, response);
}

/**
 * Answers a request that could not be parsed, so that its path and headers are unknown, and closes the connection. Node
 * itself sends only a status.
 */
export async function refuseUnparsed(error: UnparsedError, socket: Duplex): Promise<void> {
  const before = pendingResponses.get(socket);
  // If the pending request is incomplete, it is the one that cannot be parsed, and its response may never be sent.
  if (before?.req.complete && !before.writableFinished && socket.writable) await once(before, "close");
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  socket.end(await errorResponse(error));
}

/** The whole answer to a request that cannot be parsed, as HTTP/1.1 text. */
async function errorResponse(error: UnparsedError): Promise<string> {
  const [status, detail] = PARSE_ERRORS[error.code ?? ""] ?? ["400 Bad Request", "This is not an HTTP/1.1 request."];
  const problem = problemResponse(new AppError("invalid_request", detail), newId());
  const body = JSON.stringify({ ...((await problem.json()) as object), status: Number.parseInt(status, 10) });
  const headers = [...problem.headers, ["content-length", String(Buffer.byteLength(body))], ["connection", "close"]];
  // A client takes the connection for broken if HEAD is answered with a body (RFC 9110 §9.3.2).
  const isHead = error.rawPacket?.toString("latin1", 0, 5) === "HEAD ";
  return (
    "HTTP/1.1 " +
    `${status}\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${isHead ? "" : body}`
  );
}
