import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";

import { listen } from "@/tests/support/hosts";

/** A balancer in front of several web processes, with the rules that `docs/deploy.md` asks of one. */
export interface LoadBalancer {
  port: number;
  /** How often it turned to another process. */
  turned: () => number;
  stop: () => Promise<void>;
}

/** A process may close its connection to an attempt at the moment at which another has just ended. */
const MAX_ATTEMPTS = 4;

/**
 * Sends each request to the next process, over connections that it keeps. If that one refuses the connection, or closes
 * it before an answer to a request that can be repeated, the request goes to another.
 */
export async function startLoadBalancer(targets: readonly number[]): Promise<LoadBalancer> {
  const agent = new Agent({ keepAlive: true });
  let next = 0;
  let turned = 0;

  async function forward(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(incoming);
    const first = next++;
    for (let attempt = 1; ; attempt += 1) {
      const port = targets[(first + attempt) % targets.length];
      try {
        const answer = await send(agent, Number(port), incoming, body);
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        // An answer that is cut off is cut off for the client too, who would otherwise wait for its end.
        await pipeline(answer, response).catch(() => response.destroy());
        return;
      } catch (error) {
        if (attempt === MAX_ATTEMPTS || !mayRepeat(incoming, error as NodeJS.ErrnoException)) {
          response.writeHead(502).end(String(error));
          return;
        }
        turned += 1;
      }
    }
  }

  const server = createServer((incoming, response) => void forward(incoming, response));
  const { port } = new URL(await listen(server));
  return {
    port: Number(port),
    turned: () => turned,
    stop: async () => {
      agent.destroy();
      server.closeAllConnections();
      await new Promise((done) => void server.close(done));
    },
  };
}

/** The head of the answer. Rejects if the connection fails before it. */
function send(agent: Agent, port: number, incoming: IncomingMessage, body: Buffer): Promise<IncomingMessage> {
  const { method, url, headers } = incoming;
  return new Promise((done, fail) => {
    request({ agent, host: "127.0.0.1", port, method, path: url, headers })
      .once("response", done)
      .once("error", fail)
      .end(body);
  });
}

/** A refused connection carried no request. One that was closed may have, which matters unless it can be repeated. */
function mayRepeat({ method, headers }: IncomingMessage, { code }: NodeJS.ErrnoException): boolean {
  if (code === "ECONNREFUSED") return true;
  return method === "GET" || method === "HEAD" || headers["idempotency-key"] !== undefined;
}
