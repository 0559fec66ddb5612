import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo, Server as SocketServer } from "node:net";

/** Lets a server listen on a free port of this machine, and returns its origin. */
export async function listen(server: SocketServer): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const servers = new Set<Server>();

/** Starts an HTTP server on this machine with these answers, and returns its origin. */
export async function startHost(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  servers.add(server);
  return listen(server);
}

/** The origin of a port without a listener. */
export async function startDeadHost(): Promise<string> {
  const server = createServer();
  const origin = await listen(server);
  await new Promise((done) => void server.close(done));
  return origin;
}

/** Stops every server, for `afterEach`. */
export function stopHosts(): void {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  servers.clear();
}
