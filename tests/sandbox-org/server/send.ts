import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

import type { Reply } from "./exchange";

function contentType(reply: Reply): Record<string, string> {
  const isJson = reply.json !== undefined || /^[[{]/.test(reply.text ?? "");
  return isJson ? { "Content-Type": "application/json;charset=UTF-8" } : { "Content-Type": "text/plain;charset=UTF-8" };
}

/** Sends pieces as fast as the client takes them, so that a slow one costs no memory. */
async function stream(response: ServerResponse, pieces: Iterable<string>): Promise<number> {
  let bytes = 0;
  function* chunks(): Generator<Buffer> {
    for (const piece of pieces) {
      const chunk = Buffer.from(piece);
      bytes += chunk.length;
      yield chunk;
    }
  }
  try {
    await pipeline(Readable.from(chunks()), response);
  } catch (error) {
    if (!response.destroyed) throw error;
  }
  return bytes;
}

/** Sends a reply; answers how many bytes went out. */
export async function send(response: ServerResponse, reply: Reply, extra: Readonly<Record<string, string>>): Promise<number> {
  const headers = { ...contentType(reply), ...extra, ...reply.headers };
  if (reply.pieces !== undefined) {
    response.writeHead(reply.status, headers);
    return stream(response, reply.pieces);
  }
  if (reply.status === 204 || reply.status === 304) {
    response.writeHead(reply.status, { ...extra, ...reply.headers }).end();
    return 0;
  }
  const body = Buffer.from(reply.json === undefined ? (reply.text ?? "") : JSON.stringify(reply.json));
  response.writeHead(reply.status, { ...headers, "Content-Length": String(body.length) }).end(body);
  return body.length;
}
