import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";

import { listen } from "@/tests/support/hosts";

interface TraceCollector {
  url: string;
  /** The bodies that were sent, as JSON. */
  received: string[];
  stop: () => void;
}

/** A collector of traces on this machine (OTLP over HTTP), which keeps what it receives, and answers with `status`. */
export async function startTraceCollector(status = 200): Promise<TraceCollector> {
  const received: string[] = [];
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    received.push(await text(request));
    response.writeHead(status, { "content-type": "application/json" }).end("{}");
  };
  const server = createServer((request, response) => void receive(request, response));
  return { url: await listen(server), received, stop: () => void server.close() };
}
