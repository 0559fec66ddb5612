import { expect, test } from "vitest";

import { POST as token } from "@/app/oauth/token/route";
import { env } from "@/lib/env";
import { readForm } from "@/lib/http/body-bytes";
import { handleForm } from "@/lib/http/pages/forms";

/** A form that begins and never ends. */
function unending(bytes: number): Request {
  const body = new ReadableStream({ start: (sending) => sending.enqueue(new Uint8Array(bytes).fill(97)) });
  const headers = { "content-type": "application/x-www-form-urlencoded", origin: env.APP_URL };
  return new Request("http://localhost/", { method: "POST", headers, body, duplex: "half" } as RequestInit);
}

/** Reads so many of them, and returns the numbers of those that were refused, in order. */
function readAll(count: number, bytes: number): { refused: number[]; last: Promise<string> } {
  const refused: number[] = [];
  for (let number = 0; number < count; number += 1)
    readForm(unending(bytes)).catch((error: { code?: string }) => {
      if (error.code === "too_many_requests") refused.push(number);
    });
  return { refused, last: readForm(new Request("http://localhost/", { method: "POST", body: "a=1" })) };
}

test("of forms that do not end, 256 or 8 MiB are read at once, and the oldest gives way to an honest one", async () => {
  const tiny = readAll(300, 1);
  await expect(tiny.last).resolves.toBe("a=1");
  // The honest one was one of 256 too.
  await expect.poll(() => tiny.refused).toEqual(Array.from({ length: 45 }, (_, number) => number));
  const large = readAll(200, 64_000);
  await expect(large.last).resolves.toBe("a=1");
  await expect.poll(() => tiny.refused.length).toBe(300);
  await expect.poll(() => large.refused).toEqual(Array.from({ length: 69 }, (_, number) => number));
});

test.each([
  ["the token endpoint", () => token(unending(1)), "temporarily_unavailable"],
  ["a page with a form", () => handleForm(unending(1), () => Promise.reject(new Error("unread"))), "Go back"],
])("%s says when to send the form again that gave way to others", async (_, send, word) => {
  const refused = send();
  // It has to be the oldest.
  await new Promise(setImmediate);
  readAll(300, 1);
  const answer = await refused;
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, "1"]);
  expect(await answer.text()).toContain(word);
});
