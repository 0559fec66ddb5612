import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

import { AppError } from "@/lib/errors";
import { problemResponse } from "@/lib/http/problem";
import { REQUEST_ID } from "@/lib/http/request";
import { newId } from "@/lib/ids";
import { observeRefusal } from "@/scripts/service/web/observe-request";
import { afterAllRequests, latestResponse } from "@/scripts/service/web/pipelined-requests";

/** Status and sentence for the errors of Node's HTTP parser. */
const PARSE_ERRORS: Record<string, [status: string, detail: string]> = {
  HPE_HEADER_OVERFLOW: ["431 Request Header Fields Too Large", "Address and headers together may have at most 16 KB."],
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "The request did not arrive in time."],
};

const END_OF_HEAD = "\r\n\r\n";

/**
 * How long a client has to read a refusal before its connection is destroyed, which could discard that on the way
 * (RFC 9112 §9.6). Whoever went on sending would otherwise keep the connection, and what its request holds.
 */
const LINGER_MS = 2_000;

interface UnparsedError extends NodeJS.ErrnoException {
  /** The bytes in which the parser stopped. */
  rawPacket?: Buffer;
}

/**
 * Answers a request that could not be parsed, or did not arrive in time, and closes the connection. Its path and
 * headers may be unknown. Node itself sends only a status.
 */
export async function refuseUnparsed(error: UnparsedError, socket: Duplex): Promise<void> {
  const before = latestResponse(socket);
  // If the pending request is incomplete, it is the one that cannot be parsed, and its response may never be sent.
  const own = before?.req.complete ? undefined : before;
  if (before?.req.complete && !before.writableFinished && socket.writable) await once(before, "close");
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  socket.end(await errorResponse(error, own));
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

/** Refuses a tunnel (RFC 9110 §9.3.6), of which Node would close the connection without an answer. */
export async function refuseTunnel(_request: unknown, socket: Duplex): Promise<void> {
  socket.on("error", () => undefined);
  await afterAllRequests(socket);
  const fault = new AppError("method_not_allowed", "CONNECT is not allowed.", { headers: { allow: "GET, HEAD" } });
  // Whoever asked for a tunnel may never close it.
  socket.end(await refusalText("405 Method Not Allowed", fault), () => socket.destroy());
}

const NOT_HTTP: [status: string, detail: string] = ["400 Bad Request", "This is not an HTTP/1.1 request."];

const UNKNOWN_METHOD: [status: string, detail: string] = ["501 Not Implemented", "No resource has this method."];

/** A request line whose method is a token (RFC 9110 §9.1), though none that Node's parser knows. */
const REQUEST_LINE = /^[!#$%&'*+.^_`|~\w-]+ \S+ HTTP\/1\.[01]\r?\n/;

/** The whole answer to a request that cannot be parsed. `response` is its own, if its head could be. */
async function errorResponse(error: UnparsedError, response: ServerResponse | undefined): Promise<string> {
  const isUnknown = error.code === "HPE_INVALID_METHOD" && REQUEST_LINE.test(error.rawPacket?.toString("latin1") ?? "");
  const [status, detail] = isUnknown ? UNKNOWN_METHOD : (PARSE_ERRORS[error.code ?? ""] ?? NOT_HTTP);
  const text = await refusalText(status, new AppError("invalid_request", detail), response);
  // A client takes the connection for broken if HEAD is answered with a body (RFC 9110 §9.3.2).
  const isHead = error.rawPacket?.toString("latin1", 0, 5) === "HEAD ";
  return isHead ? text.slice(0, text.indexOf(END_OF_HEAD) + END_OF_HEAD.length) : text;
}

/** Tells of a refusal, and returns it as the text of an HTTP/1.1 answer, after which the connection is closed. */
async function refusalText(status: string, fault: AppError, response?: ServerResponse): Promise<string> {
  const requestId = String(response?.getHeader(REQUEST_ID) ?? newId());
  const code = Number.parseInt(status, 10);
  observeRefusal(requestId, code, response);
  const problem = problemResponse(fault, requestId);
  const body = JSON.stringify({ ...((await problem.json()) as object), status: code });
  const headers = [...problem.headers, ["content-length", String(Buffer.byteLength(body))], ["connection", "close"]];
  const head = [`HTTP/1.1 ${status}`, ...headers.map(([name, value]) => `${name}: ${value}`)].join("\r\n");
  return `${head}${END_OF_HEAD}${body}`;
}
