import type { IncomingMessage, ServerResponse } from "node:http";

import { AppError } from "@/lib/errors";
import { problemResponse } from "@/lib/http/problem";
import { newId } from "@/lib/ids";

/** Makes `X-Forwarded-For` the address of the connection, whatever the client wrote there, unless a proxy of ours has written it. */
export function claimAddress(request: IncomingMessage, behindProxy: boolean): void {
  if (behindProxy) return;
  delete request.headers.forwarded;
  request.headers["x-forwarded-for"] = request.socket.remoteAddress ?? "unknown";
}

/** Answers what Next would answer with a bare 500 before any code of ours runs. Returns whether it did. */
export async function answerUnreadable(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
  const path = (request.url ?? "/").split("?", 1)[0] ?? "/";
  const fault = faultOf(request.method, path);
  if (!fault) return false;
  const problem = problemResponse(fault, newId());
  problem.headers.set("x-content-type-options", "nosniff");
  const forPeople = !path.startsWith("/api/");
  if (forPeople) problem.headers.set("content-type", "text/plain; charset=utf-8");
  const body = forPeople ? `${fault.message}\n` : await problem.text();
  request.resume();
  response.writeHead(problem.status, Object.fromEntries(problem.headers)).end(body);
  return true;
}

function faultOf(method: string | undefined, path: string): AppError | undefined {
  if (method === "TRACE") {
    return new AppError("method_not_allowed", "TRACE is not allowed.", { headers: { allow: "GET, HEAD, POST, PATCH, DELETE, OPTIONS" } });
  }
  if (isReadable(path)) return undefined;
  return new AppError("invalid_request", "A percent sign in the path begins no escape of UTF-8. Write the sign itself as %25.");
}

function isReadable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
