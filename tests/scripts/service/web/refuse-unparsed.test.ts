import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerOptions, type ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";

import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";

import { env } from "@/lib/env";
import { log } from "@/lib/log";
import { openMetrics } from "@/lib/observability/open-metrics";
import { observeRequest } from "@/scripts/service/web/observe-request";
import { afterEarlierRequests } from "@/scripts/service/web/pipelined-requests";
import { refuseTunnel, refuseUnparsed } from "@/scripts/service/web/refuse-unparsed";
import { assignRequestId } from "@/scripts/service/web/web-request";
import { listen } from "@/tests/support/hosts";

const { registry } = await openMetrics();

beforeEach(() => {
  registry.resetMetrics();
  env.LOG_REQUESTS = true;
});

afterEach(() => {
  env.LOG_REQUESTS = false;
  vi.restoreAllMocks();
});

/** A connection to a server that observes requests as web does, and answers none. */
async function connectToServer(options: ServerOptions = {}) {
  const server = createServer(options);
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    void afterEarlierRequests(request.socket, response);
    observeRequest(request, response, assignRequestId(request, response), () => "/api/v1/{resource}");
  });
  server.on("clientError", (error, socket) => void refuseUnparsed(error, socket));
  server.on("connect", (request, socket) => void refuseTunnel(request, socket));
  const { port } = new URL(await listen(server));
  const client = connect(Number(port), "127.0.0.1");
  client.on("error", () => undefined);
  onTestFinished(() => {
    client.destroy();
    server.close();
  });
  return { server, client };
}

/** What a client reads in answer to `sent`, and the id of the request in it. */
async function answerTo(client: Socket, sent: string): Promise<{ status: number; requestId: string }> {
  client.write(sent);
  const answer = await text(client);
  const problem = JSON.parse(answer.split("\r\n\r\n")[1] ?? "") as { status: number; request_id: string };
  const { status, request_id: requestId } = problem;
  expect(answer).toContain(`HTTP/1.1 ${status} `);
  expect(answer).toContain(`x-request-id: ${requestId}\r\n`);
  return { status, requestId };
}

/** The labels and the number of each kind of request that was counted. */
async function counted(): Promise<string[]> {
  const exposition = await registry.getSingleMetricAsString("crm_http_request_duration_seconds");
  return [...exposition.matchAll(/_count\{(.*)\} (\d+)/g)].map(([, labels, count]) => `${labels} ${count}`);
}

test.each([
  [400, "nonsense\r\n\r\n"],
  [431, `GET / HTTP/1.1\r\nhost: localhost\r\nx-large: ${"x".repeat(20_000)}\r\n\r\n`],
  [501, "BREW / HTTP/1.1\r\nhost: localhost\r\n\r\n"],
  [405, "CONNECT localhost:443 HTTP/1.1\r\nhost: localhost\r\n\r\n"],
])("what is refused with %i before any route is counted and logged like other requests", async (status, sent) => {
  const info = vi.spyOn(log, "info");
  const { client } = await connectToServer();
  const answer = await answerTo(client, sent);
  expect(answer.status).toBe(status);
  const names = { method: "other", route: "(unparsed)", status };
  expect(info.mock.calls).toEqual([[{ request_id: answer.requestId, ...names, duration_ms: 0 }, "request"]]);
  expect(await counted()).toEqual([`method="other",route="(unparsed)",status="${status}" 1`]);
});

test("a request whose body cannot be parsed is counted and logged once, with its id and the status sent", async () => {
  const info = vi.spyOn(log, "info");
  const { client } = await connectToServer();
  const head = "POST / HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n";
  const { requestId } = await answerTo(client, `${head}no length\r\n`);
  await expect.poll(counted).toEqual([`method="POST",route="/api/v1/{resource}",status="400" 1`]);
  expect(info.mock.calls).toEqual([[expect.objectContaining({ request_id: requestId, status: 400 }), "request"]]);
});

test("a request that does not arrive in time ends, even if its client reads nothing and goes on sending", async () => {
  const { server, client } = await connectToServer({ requestTimeout: 100, connectionsCheckingInterval: 20 });
  client.pause();
  client.write("POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 500000\r\n\r\n{");
  const [request, response] = (await once(server, "request")) as [IncomingMessage, ServerResponse];
  request.on("error", () => undefined).resume();
  const sending = setInterval(() => client.write("a"), 10);
  await once(response, "close");
  clearInterval(sending);
  expect([request.complete, request.destroyed]).toEqual([false, true]);
  expect(await counted()).toEqual([`method="POST",route="/api/v1/{resource}",status="408" 1`]);
});
