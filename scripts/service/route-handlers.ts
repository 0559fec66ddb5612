import { once } from "node:events";
import { readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";

import compression from "compression";

import { env } from "@/lib/env";
import { SECURITY_HEADERS } from "@/lib/http/pages/content-security-policy";
import { type FindTemplate, templateOf } from "@/scripts/service/route-templates";

type Params = Record<string, string>;
type Handler = (request: Request, context: { params: Promise<Params> }) => Response | Promise<Response>;

/** What the build has of a file `route.ts` (Next's AppRouteRouteModule). */
interface RouteModule {
  /** Loads what the file exports, once. */
  ensureUserland(): Promise<void>;
  resolveHandler(method: string): Handler;
}

/** What programs request over and over: the REST API, the MCP server and the token endpoint. */
const FREQUENT = /^\/(?:api\/v1\/.*|api\/mcp|oauth\/token)$/;

/** HEAD and OPTIONS are Next's to derive. */
const METHODS = new Set(["GET", "POST", "PUT", "PATCH", "DELETE"]);

/** Paths that mean what they say: without escapes, and without what Next would redirect or decode. */
const PLAIN_PATH = /^(?:\/[\w~-][\w.~-]*)+$/;

/** Answers a request and returns true, or false if it is Next's. */
type AnswerByHandler = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;

/**
 * The route handlers of the build in `folder` (`.next`) that are called without Next's router, which takes longer than
 * most of them: docs/decisions/0073-handlers-without-the-router.md. What they answer is what Next would send for them.
 */
export async function openRouteHandlers(folder: string, findTemplate: FindTemplate): Promise<AnswerByHandler> {
  const files = await frequentFiles(folder);
  const modules = new Map<string, Promise<RouteModule>>();
  const compress = compression();
  return async (request, response) => {
    const { url = "", method = "" } = request;
    const [path = ""] = url.split("?", 1);
    if (!METHODS.has(method) || !PLAIN_PATH.test(path)) return false;
    const template = findTemplate(path);
    const file = files.get(template);
    if (file === undefined) return false;
    const loading = modules.get(file) ?? load(file);
    modules.set(file, loading);
    const handler = (await loading).resolveHandler(method);
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
    compress(request as never, response as never, () => undefined);
    const closed = closing(response);
    const params = Promise.resolve(paramsOf(template, path));
    const answer = await handler(requestOf(request, closed), { params });
    await send(answer, response, closed);
    return true;
  };
}

/** Template → compiled file. A route with any rest of a path only says that nothing is there. */
async function frequentFiles(folder: string): Promise<Map<string, string>> {
  const read = async (path: string) => JSON.parse(await readFile(join(folder, path), "utf8")) as Record<string, string>;
  const files = await read("server/app-paths-manifest.json");
  const routes = Object.entries(await read("app-path-routes-manifest.json"));
  const chosen = routes.filter(([, route]) => FREQUENT.test(route) && !route.includes("[..."));
  return new Map(chosen.map(([entry, route]) => [templateOf(route), join(folder, "server", files[entry] ?? "")]));
}

async function load(file: string): Promise<RouteModule> {
  const { routeModule } = createRequire(import.meta.url)(file) as { routeModule: RouteModule };
  await routeModule.ensureUserland();
  return routeModule;
}

/** `/api/v1/{resource}/{id}` and a path of that form: what the path has in place of the names. */
function paramsOf(template: string, path: string): Params {
  const segments = path.split("/");
  const named = template.split("/").map((name, index) => [name, segments[index] ?? ""] as const);
  return Object.fromEntries(
    named.filter(([name]) => name.startsWith("{")).map(([name, text]) => [name.slice(1, -1), text]),
  );
}

/** Aborts when the connection closes before the whole answer was sent. */
function closing(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}

/** Its origin is ours, whatever the client calls us. */
function requestOf(request: IncomingMessage, signal: AbortSignal): Request {
  const { method = "", url = "", headers } = request;
  const given = Object.entries(headers).flatMap(([name, value]) => [value ?? []].flat().map((each) => [name, each]));
  const body = { body: request as unknown as ReadableStream, duplex: "half" as const };
  return new Request(`${env.APP_URL}${url}`, {
    method,
    headers: given as [string, string][],
    signal,
    ...(method !== "GET" && body),
  });
}

async function send({ status, headers, body }: Response, response: ServerResponse, closed: AbortSignal): Promise<void> {
  response.statusCode = status;
  for (const [name, value] of headers) {
    if (name === "set-cookie") response.appendHeader(name, value);
    else response.setHeader(name, value);
  }
  if (body) await sendBody(body.getReader(), response, closed);
  response.end();
}

async function sendBody(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  response: ServerResponse,
  closed: AbortSignal,
): Promise<void> {
  const cancel = () => void reader.cancel().catch(() => undefined);
  closed.addEventListener("abort", cancel);
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read())
      if (!response.write(part.value)) await once(response, "drain", { signal: closed });
  } catch (error) {
    // Without the end of an answer, its client knows that the rest is missing.
    response.destroy();
    if (!closed.aborted) throw error;
  } finally {
    cancel();
  }
}
