import type { Server, ServerResponse } from "node:http";

/**
 * Prepares a server for its end. Returns the function that ends it: it listens no longer, and each connection is closed
 * after the answer to the request that is in hand. Resolves when all are closed.
 *
 * `server.close` alone closes the connections that are idle at that moment. One on which a balancer sends request after
 * request would stay open, and the end of the process would cut off an answer.
 */
export function answerThenClose(server: Server): () => Promise<void> {
  const unanswered = new Set<ServerResponse>();
  let isEnding = false;
  server.prependListener("request", (_, response: ServerResponse) => {
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
    await new Promise<void>((done) => void server.close(() => done()));
  };
}

/** Node closes the connection after this answer, and the other side knows not to send another request on it. */
function announceClose(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader("connection", "close");
}
