import type { IncomingMessage, ServerResponse } from "node:http";

import { env } from "@/lib/env";
import type { AppError } from "@/lib/errors";
import { METHODS } from "@/lib/http/api/request-target";
import { PROBLEMS } from "@/lib/http/problem";
import { log } from "@/lib/log";
import { type Span, type Work, isTracing, metrics, namesOfWork, startSpan } from "@/lib/observability/instruments";
import { unavailability } from "@/lib/unavailable";
import type { FindTemplate } from "@/scripts/service/web/route-templates";

/** The status of a request whose connection ended before its answer, as nginx and others write it. */
const CLIENT_CLOSED = 499;

/** Scrapers, probes and browsers ask for these all the time. */
const FREQUENT = /^\/(?:api\/(?:health|metrics)|_next)\b/;

/** What is told of a request of which nothing else is known. */
const UNPARSED = { method: "other", route: "(unparsed)" };

/** The status of each request in hand if its response will not be sent to its end. */
const unsentStatus = new WeakMap<ServerResponse, number>();

/**
 * Counts, traces and logs a request when its answer has been sent, each if the settings say so, and returns it as the
 * work that it begins. Only its route is named, never its path, query, headers or body: those hold ids and secrets.
 */
export function observeRequest(
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
  templateOf: FindTemplate,
): Work {
  const work: NamedWork = { request_id: requestId };
  const counted = metrics();
  const isLogged = log.isLevelEnabled(env.LOG_REQUESTS ? "info" : "debug");
  if (!counted && !isLogged && !isTracing()) return work;
  const { method, route } = namesOf(request, templateOf);
  const started = performance.now();
  const span = startSpan(`${method} ${route}`, "server", parentOf(request));
  work.traceparent = span?.traceparent;
  counted?.requestsInFlight.inc();
  unsentStatus.set(response, CLIENT_CLOSED);
  response.once("close", () => {
    const status = response.writableFinished ? response.statusCode : (unsentStatus.get(response) ?? CLIENT_CLOSED);
    unsentStatus.delete(response);
    counted?.requestsInFlight.dec();
    tell(work, { method, route, status }, performance.now() - started, span);
  });
  return work;
}

/**
 * The same for a refusal that no response sends. `response` is that of the request if its head could be parsed: a
 * request in hand is told of once, with this status.
 */
export function observeRefusal(requestId: string, status: number, response?: ServerResponse): void {
  if (response && unsentStatus.has(response)) {
    unsentStatus.set(response, status);
    return;
  }
  const span = startSpan(`${UNPARSED.method} ${UNPARSED.route}`, "server");
  tell({ request_id: requestId, traceparent: span?.traceparent }, { ...UNPARSED, status }, 0, span);
}

/** Tells the status of an answer that was broken off because of us: the one that was sent promised its end. */
export function observeBreak(response: ServerResponse, error: unknown): void {
  const { code } = isRefusal(error) ? error : (unavailability(error) ?? INTERNAL);
  if (unsentStatus.has(response)) unsentStatus.set(response, PROBLEMS[code].status);
}

const INTERNAL = { code: "internal_error" } as const;

/** Not by `instanceof`: the build has modules of its own. */
export function isRefusal(error: unknown): error is AppError {
  return error instanceof Error && error.name === "AppError";
}

type NamedWork = Work & { request_id: string };

interface Names {
  method: string;
  route: string;
  status: number;
}

function tell(work: NamedWork, { method, route, status }: Names, took: number, span: Span | undefined): void {
  metrics()?.requests.observe({ method, route, status: String(status) }, took / 1000);
  const names = { "http.request.method": method, "http.route": route, "http.response.status_code": status };
  span?.end({ ...names, "crm.request_id": work.request_id }, status >= 500);
  logRequest({ ...namesOfWork(work), method, route, status, duration_ms: Math.round(took * 10) / 10 });
}

/** A handful of methods, and as many routes as the build has: whatever a caller writes, there are no others. */
function namesOf({ url = "/", method = "" }: IncomingMessage, templateOf: FindTemplate) {
  return { method: METHODS.includes(method) ? method : "other", route: templateOf(url.split("?", 1)[0] ?? "/") };
}

function parentOf({ headers: { traceparent } }: IncomingMessage): string | undefined {
  return typeof traceparent === "string" ? traceparent : undefined;
}

function logRequest(fields: Record<string, string | number>): void {
  const level = env.LOG_REQUESTS && !FREQUENT.test(String(fields.route)) ? "info" : "debug";
  log[level](fields, "request");
}
