import { createServer } from "node:http";

import { expect, test } from "vitest";

import { assertReachable } from "@/scripts/demo/start-demo";
import { Fault, Stopped } from "@/scripts/service/fault";
import { listen } from "@/tests/support/hosts";

const { signal: neverStopped } = new AbortController();

/** A server that gives every request that status. */
async function startServer(status: number): Promise<{ baseUrl: string } & AsyncDisposable> {
  const server = createServer((_, response) => response.writeHead(status).end());
  const baseUrl = await listen(server);
  return { baseUrl, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

test("the demo accepts an APP_URL at which the service answers", async () => {
  await using server = await startServer(200);
  await expect(assertReachable(server.baseUrl, neverStopped)).resolves.toBeUndefined();
});

test("the demo names an APP_URL at which nothing listens, or something else", async () => {
  await using other = await startServer(404);
  for (const address of ["http://127.0.0.1:1", other.baseUrl]) {
    const refused = assertReachable(address, neverStopped);
    await expect(refused).rejects.toThrow(Fault);
    await expect(refused).rejects.toThrow(`does not reach it at ${address}, its public address. Set APP_URL`);
  }
});

test("who stops the demo meanwhile is told nothing of APP_URL", async () => {
  const stopped = AbortSignal.abort(new Stopped("SIGINT"));
  await expect(assertReachable("http://127.0.0.1:1", stopped)).rejects.toThrow(Stopped);
});
