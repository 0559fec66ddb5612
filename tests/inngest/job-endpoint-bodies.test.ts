import { createHmac } from "node:crypto";

import { expect, test, vi } from "vitest";

// The settings are read once, as a process starts.
Object.assign(process.env, {
  INNGEST_BASE_URL: "http://127.0.0.1:9",
  INNGEST_EVENT_KEY: "event-key",
  INNGEST_SIGNING_KEY: "signkey-test-abcd",
});
vi.resetModules();
const { POST } = await import("@/app/api/inngest/route");

const MEBIBYTE = 1024 * 1024;

function ask(body: BodyInit, digest: string, time = Math.floor(Date.now() / 1000)): Promise<Response> {
  const headers = { "x-inngest-signature": `t=${time}&s=${digest}`, "content-type": "application/json" };
  return POST(
    new Request("http://localhost:3000/api/inngest?fnId=none", {
      method: "POST",
      headers,
      body,
      duplex: "half",
    } as RequestInit),
  );
}

/** Nearly as much as a body may have, and never the end of it. */
function unending(): ReadableStream {
  return new ReadableStream({
    start: (sending) => void Array.from({ length: 3 }, () => sending.enqueue(new Uint8Array(MEBIBYTE))),
  });
}

test("at most 32 MiB of unsigned bodies are read at once, and the oldest request gives way", async () => {
  const ended: number[] = [];
  const asked = Array.from({ length: 30 }, async (_, number) => {
    const { status } = await ask(unending(), "0".repeat(64));
    ended.push(number);
    return status;
  });
  await expect.poll(() => ended.length).toBe(20);
  expect(ended).toEqual(Array.from({ length: 20 }, (_, number) => number));
  expect(new Set(await Promise.all(asked.slice(0, 20)))).toEqual(new Set([429]));

  const time = Math.floor(Date.now() / 1000);
  const signed = createHmac("sha256", "abcd").update("{}").update(String(time)).digest("hex");
  expect((await ask("{}", "0".repeat(64))).status).toBe(403);
  expect([403, 429]).not.toContain((await ask("{}", signed, time)).status);
});
