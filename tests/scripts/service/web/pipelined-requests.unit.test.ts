import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";

import { expect, onTestFinished, test } from "vitest";

import { afterEarlierRequests } from "@/scripts/service/web/pipelined-requests";
import { listen } from "@/tests/support/hosts";

const request = (path: string) => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`;

/** A server whose first answer waits for `finish`. Tells which requests it has carried out, and what it has read. */
async function startServer(answer: (path: string, response: ServerResponse) => void) {
  const carriedOut: string[] = [];
  const sockets: Socket[] = [];
  const first = Promise.withResolvers<void>();
  const server = createServer((incoming, response) => {
    void (async () => {
      if (!(await afterEarlierRequests(incoming.socket, response))) return;
      carriedOut.push(incoming.url ?? "");
      if (carriedOut.length === 1) await first.promise;
      answer(incoming.url ?? "", response);
    })();
  });
  server.on("connection", (socket) => sockets.push(socket));
  const { port } = new URL(await listen(server));
  const client = connect(Number(port), "127.0.0.1");
  client.on("error", () => undefined);
  let received = "";
  client.on("data", (data: Buffer) => (received += data.toString("latin1")));
  onTestFinished(() => {
    client.destroy();
    server.close();
  });
  return {
    client,
    carriedOut,
    finish: first.resolve,
    read: () => sockets[0]?.bytesRead ?? 0,
    received: () => received,
  };
}

test("while many requests of a connection wait, no more of them are read; then all are answered in order", async () => {
  const { client, carriedOut, finish, read, received } = await startServer((path, response) => response.end(path));
  const paths = Array.from({ length: 30_000 }, (_, index) => `/${index}`);
  const sent = paths.map(request).join("");
  client.write(sent);
  await expect.poll(read).toBeGreaterThan(0);
  let before = -1;
  // Until nothing more comes.
  await expect.poll(() => before === (before = read()), { interval: 200 }).toBe(true);
  expect(read()).toBeLessThan(sent.length / 2);
  expect(carriedOut).toEqual(["/0"]);
  finish();
  await expect.poll(() => carriedOut.length).toBe(paths.length);
  await expect
    .poll(() => received().endsWith(`/${paths.length - 1}\r\n0\r\n\r\n`) || received().endsWith(`/${paths.length - 1}`))
    .toBe(true);
  expect(carriedOut).toEqual(paths);
});

test("behind an answer that closes the connection no request is carried out", async () => {
  const { client, carriedOut, finish, received } = await startServer((path, response) => {
    response.setHeader("connection", "close");
    response.end(path);
  });
  client.write([request("/first"), request("/second"), request("/third")].join(""));
  await expect.poll(() => carriedOut.length).toBe(1);
  finish();
  await once(client, "close");
  expect(received()).toContain("/first");
  expect(carriedOut).toEqual(["/first"]);
});
