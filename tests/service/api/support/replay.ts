import { createServer } from "node:http";

import { listen } from "@/tests/support/hosts";

/** A recorded answer of the service. */
export interface Recorded {
  status: number;
  headers: Record<string, string>;
  text: string;
}

/** Names the recorded answer that the request should get. */
export const WHICH = "x-recorded-answer";

/** A server that gives recorded answers instead of the service. */
export async function startReplay(
  answers: ReadonlyMap<string, Recorded>,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const server = createServer((request, response) => {
    const recorded = answers.get(decodeURIComponent(String(request.headers[WHICH])));
    request.resume();
    if (recorded) response.writeHead(recorded.status, recorded.headers).end(recorded.text);
    else response.writeHead(500).end();
  });
  const stop = async () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: await listen(server), stop };
}
