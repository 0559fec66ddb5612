import type { IncomingMessage, ServerResponse } from "node:http";

import { AppError } from "@/lib/errors";
import { responseSent, trackResponse } from "@/lib/http/api/concurrency-limit";
import { isApiPath, requestTargetFault } from "@/lib/http/api/request-target";
import { htmlPage } from "@/lib/http/pages/html-page";
import { problemResponse } from "@/lib/http/problem";
import { REQUEST_ID } from "@/lib/http/request";
import { newId } from "@/lib/ids";

/** What proxies write about a request that they pass on. */
const FORWARDING = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"];
const LOOPBACK = /^(?:(?:::ffff:)?127\.|::1$)/;

/**
 * Makes `X-Forwarded-For` the address of the connection, whatever the client wrote there, unless a proxy of ours has
 * written it. A request from this very machine that says it was passed on comes from "unknown": a proxy that no setting
 * tells of may speak for anybody.
 */
export function claimAddress(request: IncomingMessage, behindProxy: boolean): void {
  if (behindProxy) return;
  const address = request.socket.remoteAddress ?? "unknown";
  const isPassedOn = FORWARDING.some((name) => request.headers[name] !== undefined);
  delete request.headers.forwarded;
  request.headers["x-forwarded-for"] = isPassedOn && LOOPBACK.test(address) ? "unknown" : address;
}

/** An answer of which nobody reads anything for so long is given up, and its connection; in milliseconds. */
const UNREAD_FOR = 30_000;

/**
 * Gives a request its id, whatever the client wrote there, and every answer of it, also those that Next gives by
 * itself.
 */
export function giveId(request: IncomingMessage, response: ServerResponse): string {
  const id = newId();
  request.headers[REQUEST_ID] = id;
  response.setHeader(REQUEST_ID, id);
  trackResponse(id);
  response.once("close", () => responseSent(id));
  return id;
}

/**
 * Has the head of an answer leave together with what follows in the same turn of the event loop, which mostly is all of
 * it: Next sends it ahead. A socket that stayed corked until the end would keep a large answer waiting for a drain that
 * never comes. From then on the socket may not rest for long.
 */
export function sendHeadWithBody({ socket }: IncomingMessage, response: ServerResponse): void {
  const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse;
  response.writeHead = (...args: unknown[]) => {
    // Node itself says how long it may rest once the answer has been sent.
    socket.setTimeout(UNREAD_FOR);
    socket.cork();
    setImmediate(() => socket.uncork());
    return writeHead(...args);
  };
}

/**
 * A target may be a whole address, whose host then goes before the header's (RFC 9112 §3.2.2); Next would redirect it
 * to itself.
 */
export function takeAbsoluteForm(request: IncomingMessage): void {
  const [, host, target] = /^https?:\/\/([^/?#]*)(.*)$/i.exec(request.url ?? "") ?? [];
  if (host === undefined) return;
  request.headers.host = host;
  request.url = target?.startsWith("/") ? target : `/${target ?? ""}`;
}

/**
 * Next takes a request with the header `rsc` for one of its pages' own, and redirects it to where `_rsc` is a
 * parameter. The API has no pages. And no page has server actions: for one that is asked for all the same, Next would
 * write a defect to the log.
 */
export function forgetRouter(request: IncomingMessage): void {
  delete request.headers["next-action"];
  if (isApiPath(pathOf(request))) delete request.headers.rsc;
}

/**
 * Closes the connection of a request that was answered although a part of its body was neither read nor forgotten
 * (lib/http/body-bytes.ts). The rest would hold up whoever sends the next request over it: through a proxy, that is
 * somebody else.
 */
export function closeWhenUnread(request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request;
  response.once("finish", () => {
    if (request.destroyed && !request.complete) socket.destroy();
  });
}

/**
 * Answers what no route could read, or what Next would answer with a bare status before any code of ours runs. Returns
 * whether it did.
 */
export async function answerUnreadable(
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
): Promise<boolean> {
  const target = request.url ?? "/";
  const fault = requestTargetFault(request.method, target) ?? twoTokens(request);
  if (!fault) return false;
  const problem = problemResponse(fault, requestId);
  problem.headers.set("x-content-type-options", "nosniff");
  const answer = isApiPath(pathOf(request)) ? problem : pageOf(problem, fault.message);
  request.resume();
  response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
  return true;
}

function pathOf({ url = "/" }: IncomingMessage): string {
  return url.split("?", 1)[0] ?? "/";
}

/**
 * The same for a person: a page with a way on. It keeps what the problem says beyond its body, such as the methods that
 * there are.
 */
function pageOf(problem: Response, sentence: string): Response {
  const link = { href: "/", text: "Go to the start page" };
  const page = htmlPage({ status: problem.status, title: "This address cannot be read", paragraphs: [sentence], link });
  for (const [name, value] of problem.headers) if (!page.headers.has(name)) page.headers.set(name, value);
  return page;
}

/** Node keeps the first of two; somebody before us may have looked at the other. */
function twoTokens({ rawHeaders }: IncomingMessage): AppError | undefined {
  const names = rawHeaders.filter((_, index) => index % 2 === 0);
  const given = names.filter((name) => name.toLowerCase() === "authorization");
  return given.length > 1 ? new AppError("invalid_request", "Send the Authorization header once.") : undefined;
}
