import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";

import { expect, test } from "vitest";

import { inPageSlot } from "@/scripts/service/web/page-slots";

type Reader = EventEmitter & { writableNeedDrain: boolean };

const reader = (): Reader => Object.assign(new EventEmitter(), { writableNeedDrain: false });

/** Begins a page of a reader that is made until `finish` is called. */
function begin(response: Reader, begun: string[], name: string) {
  const { promise, resolve: finish } = Promise.withResolvers<void>();
  const made = inPageSlot(response as unknown as ServerResponse, async () => {
    begun.push(name);
    await promise;
  });
  return { finish, made };
}

test("beyond hundreds of pages that wait, the next one is refused", async () => {
  const begun: string[] = [];
  const pages = Array.from({ length: 504 }, (_, index) => begin(reader(), begun, `page ${index}`));
  const sent: unknown[] = [];
  const refused = Object.assign(reader(), {
    writeHead: (status: number, headers: Record<string, string>) => {
      sent.push(status, headers["retry-after"]);
      return { end: (text: string) => sent.push(text.includes("The service is busy")) };
    },
  });
  await begin(refused, begun, "refused").made;
  expect(sent).toEqual([503, "5", true]);
  for (const { finish } of pages) finish();
  await Promise.all(pages.map(({ made }) => made));
  expect(begun).toHaveLength(504);
});

test("four pages are made at a time; one that waits for its reader makes room; who has left gets none", async () => {
  const begun: string[] = [];
  const readers = Array.from({ length: 7 }, reader);
  const pages = readers.map((each, index) => begin(each, begun, `page ${index}`));
  await expect.poll(() => begun).toHaveLength(4);
  readers[4]?.emit("close");
  await pages[4]?.made;
  if (readers[0]) readers[0].writableNeedDrain = true;
  await expect.poll(() => begun).toHaveLength(5);
  pages[1]?.finish();
  await expect.poll(() => begun).toHaveLength(6);
  expect(begun).toEqual(["page 0", "page 1", "page 2", "page 3", "page 5", "page 6"]);
  for (const { finish } of pages) finish();
  await Promise.all(pages.map(({ made }) => made));
});
