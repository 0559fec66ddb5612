import type { IncomingMessage, Server, ServerResponse } from "node:http";

import { AppError } from "@/lib/errors";
import { isApiPath, requestTargetFault } from "@/lib/http/api/request-target";
import { NO_BODY } from "@/lib/http/body-bytes";
import { htmlPage } from "@/lib/http/pages/html-page";
import { problemResponse } from "@/lib/http/problem";
import { pathOf } from "@/scripts/service/web/web-request";

/**
 * Answers what no route can read, or what Next would answer with only a status before our code runs. Returns true if it
 * did.
 */
export async function refuseInvalidRequest(
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
): Promise<boolean> {
  const target = request.url ?? "/";
  const fault = requestTargetFault(request.method, target) ?? faultOf(request);
  if (!fault) return false;
  const problem = problemResponse(fault, requestId);
  problem.headers.set("x-content-type-options", "nosniff");
  const answer = isApiPath(pathOf(request)) ? problem : pageOf(problem, fault.message);
  request.resume();
  response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
  return true;
}

/** The same as a page for a person, with a link. It keeps the problem's other headers, such as Allow. */
function pageOf(problem: Response, sentence: string): Response {
  const link = { href: "/", text: "Go to the start page" };
  const page = htmlPage({
    status: problem.status,
    title: "This request cannot be answered",
    paragraphs: [sentence],
    link,
  });
  for (const [name, value] of problem.headers) if (!page.headers.has(name)) page.headers.set(name, value);
  return page;
}

function faultOf(request: IncomingMessage): AppError | undefined {
  return hostFault(request) ?? duplicateAuthorization(request) ?? lengthFault(request) ?? unreadBodyFault(request);
}

/** The longest body that a route reads (4 MiB), and what is discarded beyond it (8 MiB): `lib/http/body-bytes.ts`. */
const MAX_DECLARED_BYTES = 12 * 1024 * 1024;

function declaresTooMuch({ headers }: IncomingMessage): boolean {
  return Number(headers["content-length"] ?? 0) > MAX_DECLARED_BYTES;
}

/**
 * Asks for the body of a client that waits for that, unless it is too long (RFC 9110 §10.1.1). An expectation that
 * nobody knows may be ignored; Node would refuse it without a body.
 */
export function answerExpectations(server: Server): void {
  server.on("checkContinue", (request, response) => {
    if (!declaresTooMuch(request)) response.writeContinue();
    server.emit("request", request, response);
  });
  server.on("checkExpectation", (request, response) => void server.emit("request", request, response));
}

/** Before the body comes, which may take as long as a request may. The connection is of no use afterwards. */
function lengthFault(request: IncomingMessage): AppError | undefined {
  if (!declaresTooMuch(request)) return undefined;
  return new AppError("payload_too_large", "No body of this length is read here; `content-length` declares too much.", {
    headers: { connection: "close" },
  });
}

/** An empty object, which some clients send with every request, is let through as with a DELETE. */
const MAX_UNREAD_BYTES = 2;

/**
 * A `Request` has no body with these methods, so no route could refuse one. A client that sends the cursor of a list in
 * it would get the first page again and again (docs/decisions/0014-strict-input.md).
 */
function unreadBodyFault({ method, url, headers }: IncomingMessage): AppError | undefined {
  if ((method !== "GET" && method !== "HEAD") || !url?.startsWith("/api/v1/")) return undefined;
  const isNone = Number(headers["content-length"] ?? 0) <= MAX_UNREAD_BYTES && !headers["transfer-encoding"];
  return isNone ? undefined : new AppError("invalid_request", NO_BODY);
}

/** RFC 9112 §3.2: HTTP/1.1 requires one Host header, also beside a target that is an absolute URL. */
function hostFault({ rawHeaders, httpVersion }: IncomingMessage): AppError | undefined {
  const count = countOf("host", rawHeaders);
  if (count === 1 || (count === 0 && httpVersion === "1.0")) return undefined;
  return new AppError("invalid_request", `The request has ${count || "no"} Host headers. Send one.`);
}

/** Node keeps the first of two. A proxy before us may have checked the other one. */
function duplicateAuthorization({ rawHeaders }: IncomingMessage): AppError | undefined {
  return countOf("authorization", rawHeaders) > 1
    ? new AppError("invalid_request", "Send the Authorization header once.")
    : undefined;
}

function countOf(name: string, rawHeaders: readonly string[]): number {
  return rawHeaders.filter((each, index) => index % 2 === 0 && each.toLowerCase() === name).length;
}
