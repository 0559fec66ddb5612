import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";

import { expect, test } from "vitest";

import { refuseUnparsed } from "@/scripts/service/refuse-unparsed";

test("a request that does not arrive in time ends, even if its client reads nothing and goes on sending", async () => {
  const server = createServer({ requestTimeout: 100, connectionsCheckingInterval: 20 });
  server.on("clientError", (error, socket) => void refuseUnparsed(error, socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
  client.on("error", () => undefined);
  client.pause();
  client.write("POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 500000\r\n\r\n{");
  const [request, response] = (await once(server, "request")) as [IncomingMessage, ServerResponse];
  request.on("error", () => undefined).resume();
  const sending = setInterval(() => client.write("a"), 10);
  await once(response, "close");
  clearInterval(sending);
  expect([request.complete, request.destroyed]).toEqual([false, true]);
  client.destroy();
  server.close();
});
