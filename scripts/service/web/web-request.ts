import type { IncomingMessage, ServerResponse } from "node:http";

import { isApiPath } from "@/lib/http/api/request-target";
import { hasOutage } from "@/lib/http/pages/outages";
import { REQUEST_ID, responseSent, trackResponse } from "@/lib/http/request";
import { newId } from "@/lib/ids";
import { RETRY_AFTER_SECONDS } from "@/lib/unavailable";

/** Headers that proxies add to a request. */
const FORWARDING = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"];
const LOOPBACK = /^(?:(?:::ffff:)?127\.|::1$)/;

/**
 * Sets `X-Forwarded-For` to the address of the connection, whatever the client sent, unless our own proxy has set it. A
 * forwarded request from this machine comes from "unknown": its proxy is not configured, so it may forward requests of
 * any client.
 */
export function setClientAddress(request: IncomingMessage, behindProxy: boolean): void {
  if (behindProxy) return;
  const address = request.socket.remoteAddress ?? "unknown";
  const isForwarded = FORWARDING.some((name) => request.headers[name] !== undefined);
  delete request.headers.forwarded;
  request.headers["x-forwarded-for"] = isForwarded && LOOPBACK.test(address) ? "unknown" : address;
}

/** If a client reads nothing of an answer for this long, the connection is closed; in milliseconds. */
const IDLE_TIMEOUT_MS = 30_000;

/** Gives a request an id, whatever the client sent, and sets it on every answer, including Next's own. */
export function assignRequestId(request: IncomingMessage, response: ServerResponse): string {
  const id = newId();
  request.headers[REQUEST_ID] = id;
  response.setHeader(REQUEST_ID, id);
  trackResponse(id);
  response.once("close", () => responseSent(id));
  return id;
}

/**
 * Sends the headers of an answer together with what follows in the same turn of the event loop, usually the whole
 * answer; Next sends them first. The socket is not corked for longer, because a large answer would then wait for a
 * drain that never comes. From then on, the idle timeout applies to the socket. Says that the
 * connection is closed if it will be (`closeIfBodyUnread`), and of a page that an outage of the database prevented that
 * the service is unavailable.
 */
export function sendHeadWithBody(request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request;
  const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse;
  response.writeHead = (...args: unknown[]) => {
    // Node sets its own idle timeout again after the answer has been sent.
    socket.setTimeout(IDLE_TIMEOUT_MS);
    socket.cork();
    setImmediate(() => socket.uncork());
    if (isBodyUnread(request)) response.setHeader("connection", "close");
    if (args[0] === 500 && hasOutage(String(request.headers[REQUEST_ID]))) {
      response.setHeader("retry-after", RETRY_AFTER_SECONDS);
      args[0] = 503;
    }
    return writeHead(...args);
  };
}

/**
 * A request target may be an absolute URL, whose host overrides the Host header (RFC 9112 §3.2.2). Next would redirect
 * it to itself.
 */
export function normalizeTarget(request: IncomingMessage): void {
  const [, host, target] = /^https?:\/\/([^/?#]*)(.*)$/i.exec(request.url ?? "") ?? [];
  if (host === undefined) return;
  request.headers.host = host;
  request.url = target?.startsWith("/") ? target : `/${target ?? ""}`;
}

/**
 * Next treats a request with the header `rsc` as one of its pages' own, and redirects it to a URL with `_rsc`. The API
 * has no pages. No page has server actions either; Next would log a defect when one is requested.
 */
export function removeRouterHeaders(request: IncomingMessage): void {
  delete request.headers["next-action"];
  if (isApiPath(pathOf(request))) delete request.headers.rsc;
}

/**
 * Closes the connection of a request that was answered before its whole body was read or discarded
 * (lib/http/body-bytes.ts). The rest would block the next request on the connection, which a proxy may use for another
 * client.
 */
export function closeIfBodyUnread(request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request;
  response.once("finish", () => {
    if (isBodyUnread(request)) socket.destroy();
  });
}

function isBodyUnread(request: IncomingMessage): boolean {
  return request.destroyed && !request.complete;
}

/** The path of a request's target. */
export function pathOf({ url = "/" }: IncomingMessage): string {
  return url.split("?", 1)[0] ?? "/";
}
