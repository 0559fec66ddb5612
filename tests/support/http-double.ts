import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";

const servers = new Set<Server>();

/** Starts an HTTP server on this machine with these answers, and returns its origin. */
export async function startHost(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  servers.add(server);
  await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The origin of a port without a listener. */
export async function startDeadHost(): Promise<string> {
  const url = await startHost(() => undefined);
  const [server] = [...servers].slice(-1);
  await new Promise((done) => void server?.close(done));
  return url;
}

/** Stops every server, for `afterEach`. */
export function stopHosts(): void {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  servers.clear();
}
