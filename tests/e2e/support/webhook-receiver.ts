import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

/** A request that the receiver got. */
interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}

/** An endpoint that answers as told, and records its requests. */
export interface Receiver {
  url: string;
  received: Received[];
  /** Its answer from now on. */
  answer: { status: number; body: string };
  stop: () => void;
}

/** Starts an endpoint on this machine that answers 200. */
export async function startReceiver(): Promise<Receiver> {
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      receiver.received.push({ headers: request.headers, body });
      response
        .writeHead(receiver.answer.status, { "content-type": "text/html", "x-receiver": "shop" })
        .end(receiver.answer.body);
    });
  });
  await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    received: [],
    answer: { status: 200, body: "thanks" },
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  return receiver;
}
