import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { json } from "node:stream/consumers";

import { afterEach, beforeEach, expect, test } from "vitest";

import { freePort } from "@/scripts/service/free-port";
import { CarefulClient } from "@/tests/benchmarks/soak-kills/careful-client";
import { listen } from "@/tests/support/hosts";

type Answer = [status: number, body?: object];

/** What the server does with each request in turn; `null` carries it out and breaks the connection. */
let plan: (Answer | null)[];
let requests: { method: string; key: string | undefined; match: string | undefined; body: unknown }[];
let client: CarefulClient;
const tally = { requests: 0, unanswered: 0, refused: 0 };
const server = createServer((request, response) => void answer(request, response));

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = "", headers } = request;
  const body = headers["content-type"] === "application/json" ? await json(request) : undefined;
  const [key, match] = [headers["idempotency-key"] as string | undefined, headers["if-match"]];
  requests.push({ method, key, match, body });
  const next = plan.shift();
  if (!next) return void request.socket.destroy();
  response.writeHead(next[0], { "content-type": "application/json" }).end(JSON.stringify(next[1] ?? {}));
}

beforeEach(async () => {
  [plan, requests] = [[], []];
  Object.assign(tally, { requests: 0, unanswered: 0, refused: 0 });
  client = new CarefulClient([await listen(server), `http://127.0.0.1:${await freePort()}`], "token", tally);
});
afterEach(async () => {
  await client[Symbol.asyncDispose]();
  server.closeAllConnections();
  await new Promise((done) => void server.close(done));
});

test("a creation without an answer is repeated under its key, also while the first is in progress", async () => {
  plan = [null, [409, { code: "idempotency_key_in_use" }], [201, { id: "a" }]];
  expect(await client.post("/accounts", { name: "Alpine Tools" })).toEqual({ id: "a" });
  expect(requests).toHaveLength(3);
  expect(new Set(requests.map(({ key }) => key)).size).toBe(1);
  expect(requests[0]?.key).toMatch(/^[0-9a-f-]{36}$/);
  expect(tally.unanswered).toBe(1);
});

test("two creations have two keys", async () => {
  plan = [[201], [201]];
  await client.post("/accounts", {});
  await client.post("/accounts", {});
  expect(requests[0]?.key).not.toBe(requests[1]?.key);
});

test("a refused connection is tried at the other process, and is no lost request", async () => {
  plan = [[200], [200]];
  await client.get("/accounts");
  await client.get("/accounts");
  expect([requests.length, tally.unanswered]).toEqual([2, 0]);
  expect(tally.refused).toBeGreaterThan(0);
});

test("a change without an answer is looked up, and sent again only if it was not made", async () => {
  plan = [null, [200, { version: 4, name: "Pump", amount: 1 }]];
  expect(await client.patch("/products/p", 3, { name: "Pump" })).toMatchObject({ version: 4 });
  plan = [null, [200, { version: 3, name: "Old" }], [200, { version: 4, name: "Pump" }]];
  expect(await client.patch("/products/p", 3, { name: "Pump" })).toMatchObject({ version: 4 });
  expect(requests.filter(({ method }) => method === "PATCH").map(({ match }) => match)).toEqual(['"3"', '"3"', '"3"']);
});

test("a change that was made twice, or overwritten, is a fault", async () => {
  plan = [null, [200, { version: 5, name: "Pump" }]];
  await expect(client.patch("/products/p", 3, { name: "Pump" })).rejects.toThrow("had no answer, and left");
  plan = [null, [200, { version: 4, name: "Other" }]];
  await expect(client.patch("/products/p", 3, { name: "Pump" })).rejects.toThrow("had no answer, and left");
  plan = [[412, {}]];
  await expect(client.patch("/products/p", 3, { name: "Pump" })).rejects.toThrow("answered 412");
});

test("a deletion without an answer is repeated; not found then means that it was carried out", async () => {
  plan = [null, [404]];
  await client.delete("/products/p", 3);
  plan = [[404]];
  await expect(client.delete("/products/p", 3)).rejects.toThrow("answered 404");
});

test("a step is asked for again only if it is not done", async () => {
  plan = [null];
  await client.step("/migration/run", {}, async () => true);
  plan = [null, [202]];
  await client.step("/migration/run", {}, async () => false);
  plan = [[409, {}]];
  await expect(client.step("/migration/run", {}, async () => false)).rejects.toThrow("answered 409");
  expect(requests).toHaveLength(4);
});
