import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { constants, createGzip } from "node:zlib";

import type { Reply } from "./call";

/** The body as bytes, and whether they are JSON. */
export function encode({ json, text = "", buffers }: Reply): { bytes: Buffer; isJson: boolean } {
  if (buffers !== undefined) return { bytes: Buffer.concat(buffers), isJson: true };
  return json === undefined
    ? { bytes: Buffer.from(text), isJson: text.startsWith("{") }
    : { bytes: Buffer.from(JSON.stringify(json)), isJson: true };
}

/** Sends chunks as fast as the client reads them, so that a slow client costs no memory. */
async function stream(response: ServerResponse, textChunks: Iterable<string>, gzip: boolean): Promise<number> {
  let bytes = 0;
  function* buffers(): Generator<Buffer> {
    for (const text of textChunks) {
      const buffer = Buffer.from(text);
      bytes += buffer.length;
      yield buffer;
    }
  }
  try {
    const body = Readable.from(buffers());
    if (gzip) await pipeline(body, createGzip({ level: constants.Z_BEST_SPEED }), response);
    else await pipeline(body, response);
  } catch (error) {
    if (!response.destroyed) throw error;
  }
  return bytes;
}

/** Sends a reply and returns the number of bytes sent. */
export async function send(
  response: ServerResponse,
  reply: Reply,
  extra: Readonly<Record<string, string>>,
): Promise<number> {
  if (reply.chunks !== undefined) {
    response.writeHead(reply.status, { ...extra, ...reply.headers });
    return stream(response, reply.chunks, reply.headers?.["Content-Encoding"] === "gzip");
  }
  if (reply.status === 204 || reply.status === 304) {
    response.writeHead(reply.status, { ...extra, ...reply.headers }).end();
    return 0;
  }
  const { bytes, isJson } = encode(reply);
  const type = isJson ? "application/json;charset=UTF-8" : "text/plain;charset=UTF-8";
  response
    .writeHead(reply.status, {
      "Content-Type": type,
      ...extra,
      "Content-Length": String(bytes.length),
      ...reply.headers,
    })
    .end(bytes);
  return bytes.length;
}
