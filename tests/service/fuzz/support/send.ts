import { Agent, type IncomingMessage, request } from "node:http";
import { brotliDecompressSync } from "node:zlib";

/** A request as bytes, except credentials and length. */
export interface Wire {
  method: string;
  /** Path and query, as in the request line. */
  target: string;
  headers: Record<string, string>;
  body: Buffer | null;
}

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** Far longer than any request takes, even on a busy machine. */
const HANG_MS = 60_000;
const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/**
 * Sends the request unchanged. Rejects if the connection ends without an answer, or if there is none within a minute.
 */
export async function send(baseUrl: string, wire: Wire): Promise<Answer> {
  try {
    return await sendOnce(baseUrl, wire);
  } catch (error) {
    // A server may close an idle connection at the moment when it is used again (RFC 9112 §9.3.1).
    if (error instanceof Dropped && error.isReused) return sendOnce(baseUrl, wire);
    throw error;
  }
}

class Dropped extends Error {
  constructor(
    cause: Error,
    readonly isReused: boolean,
  ) {
    super(`no answer: ${cause.message}`, { cause });
  }
}

function sendOnce(baseUrl: string, { method, target, headers, body }: Wire): Promise<Answer> {
  const { hostname, port } = new URL(baseUrl);
  const length = body === null ? {} : { "content-length": String(body.byteLength) };
  return new Promise((resolve, reject) => {
    const sent = request({
      agent,
      hostname,
      port,
      method,
      path: target,
      headers: { ...length, ...headers },
      timeout: HANG_MS,
    });
    const fail = (error: Error) => reject(new Dropped(error, sent.reusedSocket));
    sent.on("timeout", () => sent.destroy(new Error(`nothing came for ${HANG_MS / 1000} seconds`)));
    sent.on("error", fail);
    sent.on("response", (response) => void read(response).then(resolve, fail));
    sent.end(body ?? undefined);
  });
}

async function read(response: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const plain = response.headers["content-encoding"] === "br" ? brotliDecompressSync(bytes) : bytes;
  const text = new TextDecoder("utf-8", { fatal: true }).decode(plain);
  return { status: response.statusCode ?? 0, headers: response.headers, text };
}

/** The request as a shell command, with the token in `$TOKEN`. */
export function asCurl(baseUrl: string, { method, target, headers, body }: Wire): string {
  const fields = Object.entries(headers).map(
    ([name, value]) =>
      " -H " +
      (name === "authorization" && value.length > 40 ? '"authorization: Bearer $TOKEN"' : quoted(`${name}: ${value}`)),
  );
  const data = body === null ? "" : ` --data-binary ${quoted(body.toString("latin1"))}`;
  return `curl -i --path-as-is -g -X ${method} ${quoted(baseUrl + target)}${fields.join("")}${data}`;
}

const hex = (byte: string): string => `\\x${byte.charCodeAt(0).toString(16).padStart(2, "0")}`;

/** ANSI-C quoting: unprintable characters byte by byte. */
function quoted(bytes: string): string {
  const text =
    bytes.length > 3000 ? `${bytes.slice(0, 1500)}…${bytes.length - 3000} more…${bytes.slice(-1500)}` : bytes;
  return `$'${text.replaceAll(/[\\']/g, "\\$&").replaceAll(/[^\x20-\x7e…]/g, hex)}'`;
}
