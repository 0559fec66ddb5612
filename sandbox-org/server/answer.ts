import { assertVersion } from "../rest/root";
import { ApiError, invalidSession, methodNotAllowed, notFound } from "./api-error";
import type { Call, Reply } from "./call";
import type { Exchange, Handler } from "./exchange";
import { ROOT_ROUTES, VERSION_ROUTES, type Route } from "./routes";
import type { SandboxOrg } from "./sandbox-org";

interface MatchedRoute {
  readonly handler: Handler;
  readonly open: boolean;
  readonly parts: readonly string[];
  readonly version: string;
}

function splitVersion(path: string): { routes: readonly Route[]; rest: string; version: string } {
  const match = /^\/services\/data\/(v[^/]+)(\/.*)?$/.exec(path);
  if (!match?.[1]) return { routes: ROOT_ROUTES, rest: path, version: "" };
  assertVersion(match[1]);
  return { routes: VERSION_ROUTES, rest: match[2] ?? "", version: match[1] };
}

function findRoute({ method, path }: Call): MatchedRoute {
  const { routes, rest, version } = splitVersion(path);
  for (const { pattern, open, methods } of routes) {
    const match = pattern.exec(rest);
    if (!match) continue;
    const handler = methods[method === "HEAD" ? "GET" : method];
    if (!handler) throw methodNotAllowed(method, Object.keys(methods).join(","));
    return { handler, open, parts: match.slice(1).map(decodeURIComponent), version };
  }
  throw notFound();
}

/** A token is sent as `Bearer` or `OAuth`. The identity URL also accepts it in the query. */
function assertLiveToken(org: SandboxOrg, { headers, search, path }: Call): void {
  const token =
    /^(?:Bearer|OAuth)\s+(.+)$/i.exec(headers["authorization"] ?? "")?.[1] ??
    (path.startsWith("/id/") ? search.get("oauth_token") : null);
  if (token === null || !org.sessions.isLive(token)) throw invalidSession();
}

function errorReply(error: unknown): Reply {
  if (!(error instanceof ApiError)) throw error;
  const headers: Record<string, string> = error.status === 401 ? { "WWW-Authenticate": "Token" } : {};
  return { status: error.status, headers, json: error.bodies.map((body) => ({ ...body })) };
}

/** Answers one call: route, token, daily limit, handler. A refusal becomes Salesforce's error body. */
export function answer(org: SandboxOrg, call: Call, jobFailure: string | null = null): Reply {
  try {
    const { handler, open, parts, version } = findRoute(call);
    if (!open) assertLiveToken(org, call);
    if (version !== "" && org.stats.apiCalls > org.options.dailyLimit)
      throw new ApiError(403, "REQUEST_LIMIT_EXCEEDED", "TotalRequests Limit exceeded.");
    const exchange: Exchange = {
      ...call,
      org,
      version,
      root: `/services/data/${version}`,
      jobFailure,
      dispatch: (part) => answer(org, part),
    };
    return handler(exchange, ...parts);
  } catch (error) {
    return errorReply(error);
  }
}
