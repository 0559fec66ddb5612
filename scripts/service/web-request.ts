import type { IncomingMessage, ServerResponse } from "node:http";

import { problemResponse } from "@/lib/http/problem";
import { REQUEST_ID } from "@/lib/http/request-id";
import { isApiPath, unreadableFault } from "@/lib/http/unreadable";
import { newId } from "@/lib/ids";

/** What proxies write about a request that they pass on. */
const FORWARDING = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"];
const LOOPBACK = /^(?:(?:::ffff:)?127\.|::1$)/;

/**
 * Makes `X-Forwarded-For` the address of the connection, whatever the client wrote there, unless a proxy of ours has written it. A request
 * from this very machine that says it was passed on comes from "unknown": a proxy that no setting tells of may speak for anybody.
 */
export function claimAddress(request: IncomingMessage, behindProxy: boolean): void {
  if (behindProxy) return;
  const address = request.socket.remoteAddress ?? "unknown";
  const isPassedOn = FORWARDING.some((name) => request.headers[name] !== undefined);
  delete request.headers.forwarded;
  request.headers["x-forwarded-for"] = isPassedOn && LOOPBACK.test(address) ? "unknown" : address;
}

/** Gives a request its id, whatever the client wrote there, and every answer of it, also those that Next gives by itself. */
export function giveId(request: IncomingMessage, response: ServerResponse): string {
  const id = newId();
  request.headers[REQUEST_ID] = id;
  response.setHeader(REQUEST_ID, id);
  return id;
}

/** Answers what no route could read, or what Next would answer with a bare status before any code of ours runs. Returns whether it did. */
export async function answerUnreadable(request: IncomingMessage, response: ServerResponse, requestId: string): Promise<boolean> {
  const target = request.url ?? "/";
  const fault = unreadableFault(request.method, target);
  if (!fault) return false;
  const problem = problemResponse(fault, requestId);
  problem.headers.set("x-content-type-options", "nosniff");
  const forPeople = !isApiPath(target.split("?", 1)[0] ?? "/");
  if (forPeople) problem.headers.set("content-type", "text/plain; charset=utf-8");
  const body = forPeople ? `${fault.message}\n` : await problem.text();
  request.resume();
  response.writeHead(problem.status, Object.fromEntries(problem.headers)).end(body);
  return true;
}
