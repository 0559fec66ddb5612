import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { takeOrders } from "@/tests/benchmarks/api/load-process";

/**
 * An endpoint as quick as Node makes one, in a process of its own. It answers 204, and nothing at all below `/hangs`.
 */
export interface ReceiverOrder {
  /** Forget what has come so far. */
  forgets?: boolean;
}

export interface ReceiverReport {
  port: number;
  /** `webhook-id`s, and when each came first, in milliseconds since 1970. */
  received: Map<string, number>;
}

const received = new Map<string, number>();

const server = createServer((request, response) => {
  const at = performance.timeOrigin + performance.now();
  const id = String(request.headers["webhook-id"]);
  request.resume();
  if (request.url?.startsWith("/hangs")) return;
  if (!received.has(id)) received.set(id, at);
  request.once("end", () => response.writeHead(204).end());
});
// A worker of ours keeps its connections for longer than a round lasts.
server.keepAliveTimeout = 60_000;
const listening = new Promise<void>((done) => void server.listen(0, "127.0.0.1", done));

takeOrders(async ({ forgets = false }: ReceiverOrder): Promise<ReceiverReport> => {
  await listening;
  if (forgets) received.clear();
  return { port: (server.address() as AddressInfo).port, received: new Map(received) };
});
