import { once } from "node:events";
import type { ServerResponse } from "node:http";

import type { Reply } from "./exchange";

function contentType(reply: Reply): Record<string, string> {
  const isJson = reply.json !== undefined || /^[[{]/.test(reply.text ?? "");
  return isJson ? { "Content-Type": "application/json;charset=UTF-8" } : { "Content-Type": "text/plain;charset=UTF-8" };
}

/** Sends a reply; pieces wait for the client to keep up, so that a slow one costs no memory. Answers how many bytes went out. */
export async function send(response: ServerResponse, reply: Reply, extra: Readonly<Record<string, string>>): Promise<number> {
  const headers = { ...contentType(reply), ...extra, ...reply.headers };
  if (reply.pieces === undefined) {
    const body = Buffer.from(reply.json === undefined ? (reply.text ?? "") : JSON.stringify(reply.json));
    const empty = reply.status === 204 || reply.status === 304;
    response.writeHead(reply.status, empty ? { ...extra, ...reply.headers } : { ...headers, "Content-Length": String(body.length) });
    response.end(empty ? undefined : body);
    return body.length;
  }
  response.writeHead(reply.status, headers);
  let bytes = 0;
  for (const piece of reply.pieces) {
    const chunk = Buffer.from(piece);
    bytes += chunk.length;
    if (response.destroyed) return bytes;
    if (!response.write(chunk)) await Promise.race([once(response, "drain"), once(response, "close")]);
  }
  response.end();
  return bytes;
}
