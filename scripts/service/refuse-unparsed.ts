import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

import { AppError } from "@/lib/errors";
import { problemResponse } from "@/lib/http/problem";
import { newId } from "@/lib/ids";

/** What node's HTTP parser says of a request that it gave up, as status and sentence. */
const REFUSALS: Record<string, [status: string, detail: string]> = {
  HPE_HEADER_OVERFLOW: ["431 Request Header Fields Too Large", "Address and headers together may have at most 16 KB."],
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "The request did not arrive in time."],
};

interface UnparsedError extends NodeJS.ErrnoException {
  /** The bytes at which the parser stopped, from the beginning of what arrived with them. */
  rawPacket?: Buffer;
}

/** The answer that each connection was last asked for. */
const owed = new WeakMap<Duplex, ServerResponse>();

/** Notes the answer that a connection waits for: what cannot be parsed behind its request is refused after it. */
export function noteOwed(socket: Duplex, response: ServerResponse): void {
  owed.set(socket, response);
}

/**
 * Answers a request that could not be parsed, whose path and headers are therefore unknown, and closes the connection.
 * Node by itself sends a bare status.
 */
export async function refuseUnparsed(error: UnparsedError, socket: Duplex): Promise<void> {
  const before = owed.get(socket);
  // Of a request that has not arrived whole, it is this very one that cannot be parsed, and its answer may wait for the
  // rest for ever.
  if (before?.req.complete && !before.writableFinished && socket.writable) await once(before, "close");
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  socket.end(await refusal(error));
}

/** The whole answer to a request that cannot be parsed, head and body, as it goes to the wire. */
async function refusal(error: UnparsedError): Promise<string> {
  const [status, detail] = REFUSALS[error.code ?? ""] ?? ["400 Bad Request", "This is not a request of HTTP/1.1."];
  const problem = problemResponse(new AppError("invalid_request", detail), newId());
  const body = JSON.stringify({ ...((await problem.json()) as object), status: Number.parseInt(status, 10) });
  const headers = [...problem.headers, ["content-length", String(Buffer.byteLength(body))], ["connection", "close"]];
  // After a body that HEAD must not have, a client takes the connection for broken (RFC 9110 §9.3.2).
  const isHead = error.rawPacket?.toString("latin1", 0, 5) === "HEAD ";
  return (
    "HTTP/1.1 " +
    `${status}\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${isHead ? "" : body}`
  );
}
