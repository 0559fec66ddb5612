import { once } from "node:events";
import { request as httpRequest } from "node:http";

import { afterAll, beforeAll, expect, test } from "vitest";

import { type OwnWeb, startOwnWeb } from "@/tests/service/setup/own-web";
import { readDemo, tokenOf } from "@/tests/service/support/demo";

let web: OwnWeb;

beforeAll(async () => {
  web = await startOwnWeb({ KEEP_ALIVE_SECONDS: "620", STOP_TIMEOUT_SECONDS: "1", LOG_LEVEL: "info" });
});

afterAll(() => web.stop());

test("an idle connection is kept for KEEP_ALIVE_SECONDS, of which the answer tells", async () => {
  const answer = await fetch(new URL("/api/health/live", web.baseUrl));
  expect(answer.headers.get("keep-alive")).toBe("timeout=620");
});

test("a process that is told to stop ends after STOP_TIMEOUT_SECONDS, whatever it still has in hand", async () => {
  const headers = { authorization: `Bearer ${await tokenOf(readDemo())}`, "content-type": "application/json" };
  const unfinished = httpRequest(new URL("/api/v1/accounts", web.baseUrl), { method: "POST", headers });
  const closed = new Promise((resolve) => unfinished.once("close", resolve));
  unfinished.on("error", () => undefined).write("{");
  const [socket] = await once(unfinished, "socket");
  if (socket.connecting) await once(socket, "connect");
  // The server has read its head.
  await (await fetch(new URL("/api/health/live", web.baseUrl))).text();
  const asked = performance.now();
  await web.stop();
  const took = performance.now() - asked;
  await closed;
  expect(took).toBeGreaterThan(900);
  expect(took).toBeLessThan(8_000);
  expect(web.logged()).toMatch(/"all_ended":false,"msg":"web stopped"/);
});
