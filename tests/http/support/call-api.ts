import * as one from "@/app/api/v1/[resource]/[id]/route";
import * as restore from "@/app/api/v1/[resource]/[id]/restore/route";
import * as batch from "@/app/api/v1/[resource]/batch/route";
import * as exported from "@/app/api/v1/[resource]/export/route";
import * as byExtId from "@/app/api/v1/[resource]/by_ext_id/[ext_id]/route";
import * as unknown from "@/app/api/v1/[resource]/route";
import { collection } from "@/app/api/v1/collection";
import { isResource } from "@/lib/records/schema/registry";
import { answerTo } from "@/tests/http/support/answer-to";

const ORIGIN = "http://localhost:3000";

type Handler = (request: Request, { params }: { params: Promise<never> }) => Promise<Response>;

/** A request as clients send it. A body that is not a string is sent as JSON. */
export interface Asked {
  body?: unknown;
  headers?: Record<string, string>;
}

/** An answer, its body read as JSON. */
export interface Answered {
  status: number;
  headers: Headers;
  text: string;
  body: Record<string, unknown> & { id: string; version: number };
}

/** A problem's faults as "pointer code", in order. */
export function faultsOf({ body }: Answered): string[] {
  return ((body.errors ?? []) as { pointer: string; code: string }[])
    .map(({ pointer, code }) => `${pointer} ${code}`)
    .toSorted();
}

/** Calls the record routes as Next does ({@link answerTo}), with an access token unless there is none. */
export function callerWith(token: string | null) {
  return async (method: string, path: string, asked: Asked = {}): Promise<Answered> => {
    const request = requestOf(method, path, token, asked);
    const [, , , resource = "", ...rest] = new URL(request.url).pathname.split("/");
    const { routes, path: given } = routesFor(resource, rest);
    const handler = (routes as unknown as Record<string, Handler>)[method];
    if (!handler) throw new Error(`No route has the method ${method}.`);
    const params = Promise.resolve(given as never);
    const response = await answerTo(request, () => handler(request, { params }));
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: isJson(response) ? JSON.parse(text) : {} };
  };
}

function isJson({ headers }: Response): boolean {
  return headers.get("content-type")?.includes("json") ?? false;
}

function requestOf(method: string, path: string, token: string | null, { body, headers }: Asked): Request {
  const authorization: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };
  if (body === undefined)
    return new Request(`${ORIGIN}/api/v1${path}`, { method, headers: { ...authorization, ...headers } });
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return new Request(`${ORIGIN}/api/v1${path}`, {
    method,
    headers: { ...authorization, "content-type": "application/json", ...headers },
    body: text,
  });
}

export type Call = ReturnType<typeof callerWith>;

/** A route file, and the variable segments of its path. */
function routesFor(resource: string, [first, second]: string[]) {
  if (first === undefined && isResource(resource)) return { routes: collection(resource), path: {} };
  if (first === undefined) return { routes: unknown, path: { resource } };
  if (first === "batch" && second === undefined) return { routes: batch, path: { resource } };
  if (first === "export" && second === undefined) return { routes: exported, path: { resource } };
  if (first === "by_ext_id") return { routes: byExtId, path: { resource, ext_id: second } };
  return { routes: second === "restore" ? restore : one, path: { resource, id: first } };
}
