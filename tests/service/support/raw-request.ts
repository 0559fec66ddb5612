import { once } from "node:events";
import { connect } from "node:net";

/** A parsed raw answer. */
export interface RawAnswer {
  status: number;
  /** Names in lower case. */
  headers: Map<string, string>;
  body: string;
}

/**
 * Sends a request unchanged, as no HTTP client does, and reads until the server closes. The head must contain
 * `connection: close`.
 */
export async function sendRaw(origin: string, text: string | Buffer): Promise<RawAnswer> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  // A server that has refused need not read the rest. Only its answer matters.
  socket.on("error", () => undefined);
  socket.write(text);
  await once(socket, "close");
  return parse(Buffer.concat(chunks).toString("latin1"));
}

/** In Latin-1 a character is a byte, the unit of chunk sizes (RFC 9112 §7.1). */
function parse(answer: string): RawAnswer {
  const [head = "", body = ""] = answer.split(/\r\n\r\n(.*)/s);
  const [first = "", ...lines] = head.split("\r\n");
  const headers = new Map(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
  );
  const bytes = headers.get("transfer-encoding") === "chunked" ? joinChunks(body) : body;
  return { status: Number(first.split(" ")[1]), headers, body: Buffer.from(bytes, "latin1").toString("utf8") };
}

function joinChunks(body: string): string {
  let joined = "";
  for (let rest = body; rest !== "";) {
    const [size = "0", after = ""] = rest.split(/\r\n(.*)/s);
    const length = Number.parseInt(size, 16);
    joined += after.slice(0, length);
    rest = after.slice(length + 2);
  }
  return joined;
}
