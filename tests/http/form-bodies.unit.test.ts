import { expect, test } from "vitest";

import { readForm } from "@/lib/http/body-bytes";

/** A form that begins and never ends. */
function unending(bytes: number): Request {
  const body = new ReadableStream({ start: (sending) => sending.enqueue(new Uint8Array(bytes).fill(97)) });
  return new Request("http://localhost/", { method: "POST", body, duplex: "half" } as RequestInit);
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
