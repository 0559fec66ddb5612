import { Client } from "undici";
import { afterEach, beforeEach, expect, test } from "vitest";

import { readDemo } from "@/tests/service/support/demo";

const { base_url: baseUrl } = readDemo();
const MEGABYTE = 1_000_000;

let connection: Client;
beforeEach(() => {
  connection = new Client(baseUrl, { pipelining: 1, headersTimeout: 20_000 });
});
afterEach(() => connection.destroy());

/** Sends a form of that size over the one connection, and returns its status. */
async function sendForm(path: string, bytes: number): Promise<number> {
  const headers = { "content-type": "application/x-www-form-urlencoded", origin: baseUrl };
  const { statusCode, body } = await connection.request({ path, method: "POST", headers, body: "a".repeat(bytes) });
  await body.dump();
  return statusCode;
}

async function statusAfterwards(): Promise<number> {
  const { statusCode, body } = await connection.request({ path: "/api/health/live", method: "GET" });
  await body.dump();
  return statusCode;
}

// A proxy sends requests of many people over one connection. One of them must not block the next.
test.each([
  ["/oauth/token", 400],
  ["/api/auth/sign-in", 413],
])("after a refused body that is too long for %s, the same connection still answers", async (path, status) => {
  expect(await sendForm(path, 3 * MEGABYTE)).toBe(status);
  expect(await statusAfterwards()).toBe(200);
});

test("a far too long body closes its connection, and the next request gets a new one", async () => {
  await sendForm("/oauth/token", 40 * MEGABYTE).catch(() => undefined);
  expect(await statusAfterwards().catch(() => statusAfterwards())).toBe(200);
});
