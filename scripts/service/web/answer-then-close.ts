import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** How long a connection may take, once the server ends, to send the head of its first request. */
const FIRST_REQUEST_MS = 1_000;

/**
 * Prepares a server for its end. Returns the function that ends it: it listens no longer, and each connection is closed
 * after the answer to the request that is in hand. Resolves when all are closed.
 *
 * `server.close` alone closes the connections that are idle at that moment. One on which a balancer sends request after
 * request would stay open, and the end of the process would cut off an answer. Nor does Node count one as idle on which
 * nothing was ever asked, such as those that browsers open ahead.
 */
export function answerThenClose(server: Server): () => Promise<void> {
  const unanswered = new Set<ServerResponse>();
  const unasked = new Set<Socket>();
  let isEnding = false;
  server.on("connection", (socket) => {
    unasked.add(socket);
    socket.once("close", () => unasked.delete(socket));
  });
  server.prependListener("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
    unasked.delete(socket);
    unanswered.add(response);
    if (isEnding) announceClose(response);
    response.once("close", () => {
      unanswered.delete(response);
      // Its head may have been sent before, and have promised that the connection stays.
      if (isEnding) server.closeIdleConnections();
    });
  });
  return async () => {
    isEnding = true;
    for (const response of unanswered) announceClose(response);
    const timer = setTimeout(() => unasked.forEach((socket) => socket.destroy()), FIRST_REQUEST_MS);
    await new Promise<void>((done) => void server.close(() => done()));
    clearTimeout(timer);
  };
}

/** Node closes the connection after this answer, and the other side knows not to send another request on it. */
function announceClose(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader("connection", "close");
}
