import { globSync } from "node:fs";
import { join } from "node:path";

import { answerTo } from "@/tests/http/support/answer-to";

const API = join(import.meta.dirname, "../../../app/api/v1");
const FILES = globSync("**/route.ts", { cwd: API }).map((file) => ({ file, parts: file.split("/").slice(0, -1) }));

type Handler = (request: Request, target: { params: Promise<Record<string, string>> }) => Promise<Response>;

function isDynamic(part: string): boolean {
  return part.startsWith("[");
}

/** Finds the route file as Next does: of those that fit, the one with the fewest variable parts. */
function findFile(path: string[]) {
  const fitting = FILES.filter(
    ({ parts }) =>
      parts.length === path.length && parts.every((part, index) => isDynamic(part) || part === path[index]),
  );
  return fitting.toSorted((a, b) => a.parts.filter(isDynamic).length - b.parts.filter(isDynamic).length)[0];
}

/** Calls any route below `/api/v1` ({@link answerTo}). Throws where no file answers the method and path. */
export async function callRoute(method: string, path: string, headers: Record<string, string>, body: unknown = {}) {
  const url = new URL(`http://localhost:3000/api/v1${path}`);
  const given = url.pathname.split("/").slice(3);
  const found = findFile(given);
  const handler = found && ((await import(join(API, found.file))) as Record<string, Handler>)[method];
  if (!handler) throw new Error(`No route answers ${method} ${path}.`);
  const names = found.parts.map((part, index) => [part.slice(1, -1), given[index] ?? "", part] as const);
  const params = Object.fromEntries(
    names.filter(([, , part]) => isDynamic(part)).map(([name, value]) => [name, value]),
  );
  const sent = ["GET", "DELETE"].includes(method) ? {} : { body: JSON.stringify(body) };
  const request = new Request(url, { method, headers: { "content-type": "application/json", ...headers }, ...sent });
  const response = await answerTo(request, () => handler(request, { params: Promise.resolve(params) }));
  return { status: response.status, headers: response.headers, text: await response.text() };
}
