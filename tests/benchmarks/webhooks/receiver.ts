import { createServer } from "node:http";

import { handleTasks } from "@/tests/benchmarks/api/load-process";
import { listen } from "@/tests/support/hosts";

/** A fast endpoint in a separate process. It answers 204, and never answers below `/hangs`. */
export interface ReceiverTask {
  /** Deletes what has been received so far. */
  clears?: boolean;
}

export interface ReceiverReport {
  port: number;
  /** `webhook-id`s with the time of their first delivery, in milliseconds since 1970. */
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
// Our worker keeps its connections for longer than a round.
server.keepAliveTimeout = 60_000;
const listening = listen(server);

handleTasks(async ({ clears = false }: ReceiverTask): Promise<ReceiverReport> => {
  const { port } = new URL(await listening);
  if (clears) received.clear();
  return { port: Number(port), received: new Map(received) };
});
