import { readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { constants } from "node:zlib";

import compression, { type CompressionOptions } from "compression";

import { env } from "@/lib/env";
import { NDJSON } from "@/lib/downloads";
import { log } from "@/lib/log";
import { SECURITY_HEADERS } from "@/lib/http/pages/content-security-policy";
import { isRefusal, observeBreak } from "@/scripts/service/web/observe-request";
import { type FindTemplate, templateOf } from "@/scripts/service/web/route-templates";

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

const COMPRESSION: CompressionOptions = {
  // A window of 256 KiB in place of 4 MiB, which bounds the memory that Brotli takes for each answer.
  brotli: { params: { [constants.BROTLI_PARAM_LGWIN]: 18 } },
  // The registry of media types does not know NDJSON.
  filter: (request, response) => response.getHeader("content-type") === NDJSON || compression.filter(request, response),
};

/** Answers a request and returns true, or false if it is Next's. */
type AnswerByHandler = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;

/**
 * The route handlers of the build in `folder` (`.next`) that are called without Next's router, which takes longer than
 * most of them: docs/decisions/0073-handlers-without-the-router.md. They answer what Next would send for them, and
 * compress by Brotli and NDJSON as well.
 */
export async function openRouteHandlers(folder: string, findTemplate: FindTemplate): Promise<AnswerByHandler> {
  const files = await frequentFiles(folder);
  const loadOnce = loader();
  const compress = compression(COMPRESSION);
  return async (request, response) => {
    const { url = "", method = "" } = request;
    const [path = ""] = url.split("?", 1);
    const template = METHODS.has(method) && PLAIN_PATH.test(path) ? findTemplate(path) : "";
    const file = files.get(template);
    if (file === undefined) return false;
    const closed = closing(response);
    const handler = (await loadOnce(file)).resolveHandler(method);
    if (closed.aborted) return true;
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
    compress(request as never, response as never, () => undefined);
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
  return new Map(
    chosen.map(([entry, route]) => {
      const file = files[entry];
      if (file === undefined) throw new Error(`The build has no file for the route ${route}.`);
      return [templateOf(route), join(folder, "server", file)];
    }),
  );
}

/** Loads a file when it is first asked for. */
function loader(): (file: string) => Promise<RouteModule> {
  const modules = new Map<string, Promise<RouteModule>>();
  return (file) => {
    const known = modules.get(file);
    if (known) return known;
    const loading = load(file);
    modules.set(file, loading);
    // A file that could not be read once is read again. What failed while it was evaluated stays so, as with Next.
    loading.catch(() => modules.delete(file));
    return loading;
  };
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
    else if (name !== "content-length") response.setHeader(name, value);
  }
  if (closed.aborted) return void body?.cancel().catch(() => undefined);
  if (!body) return void response.end();
  const length = Number(headers.get("content-length") ?? Number.NaN);
  await sendBody(body.getReader(), length, response as Compressing, closed);
}

/** A refusal, such as of an export whose admin is none any more, is no defect. */
function throwUnlessRefused(error: unknown, response: ServerResponse): void {
  observeBreak(response, error);
  if (!isRefusal(error)) throw error;
  log.info({ reason: error.message }, "an answer was broken off");
}

/** As `compression` leaves it. */
type Compressing = ServerResponse & { flush(): void };

/** Says its length only if all of it is there: a file that is read in parts may turn out to have another one. */
async function sendBody(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  length: number,
  response: Compressing,
  closed: AbortSignal,
): Promise<void> {
  let goOn: (() => void) | undefined;
  const cancel = () => void reader.cancel().catch(() => undefined);
  // Before the first part: `compression` then passes the listener to its stream, from which none can be removed.
  response.on("drain", () => goOn?.());
  closed.addEventListener("abort", () => {
    cancel();
    goOn?.();
  });
  let flushing: NodeJS.Immediate | undefined;
  try {
    for (let part = await reader.read(); !part.done && !closed.aborted; part = await reader.read()) {
      if (part.value.byteLength === length) {
        response.setHeader("content-length", length);
        return void response.end(part.value);
      }
      clearImmediate(flushing);
      if (!response.write(part.value) && !closed.aborted) await new Promise<void>((resolve) => (goOn = resolve));
      // What follows at once, usually the end, is compressed with it; what takes its time must not be waited for.
      flushing = setImmediate(() => response.flush());
    }
    response.end();
  } catch (error) {
    // Without the end of an answer, its client knows that the rest is missing.
    response.destroy();
    if (!closed.aborted) throwUnlessRefused(error, response);
  } finally {
    clearImmediate(flushing);
    cancel();
  }
}
