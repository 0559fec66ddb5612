import { randomBytes } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { Readable } from "node:stream";
import { crc32 } from "node:zlib";

import { describe, expect, test } from "vitest";
import { fromBufferPromise } from "yauzl";

import { type ZipEntry, zipOf } from "@/lib/zip-archive";
import { readArchive } from "@/tests/support/read-archive";

async function* contentOf(...chunks: (Buffer | string)[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield Buffer.from(chunk);
}

async function* failing(): AsyncGenerator<Uint8Array> {
  yield Buffer.from("a");
  throw new Error("The storage is gone.");
}

async function* entriesOf(...entries: ZipEntry[]): AsyncGenerator<ZipEntry> {
  yield* entries;
}

function zipped(options: Parameters<typeof zipOf>[1], ...entries: ZipEntry[]): Promise<Buffer> {
  return buffer(Readable.from(zipOf(entriesOf(...entries), options)));
}

describe("an archive", () => {
  test.each([
    { form: "the usual form", options: {}, version: 20 },
    { form: "the form for more than 4 GB", options: { zip64From: 100 }, version: 45 },
  ])("in $form is read by others with names, contents, checksums and time", async ({ options, version }) => {
    const noise = randomBytes(300_000);
    const bytes = await zipped(
      { ...options, at: new Date("2026-11-25T10:20:30Z") },
      { name: "empty.csv", content: contentOf() },
      { name: "files/Grüße 東京.txt", content: contentOf("Hello", ", ", "world") },
      { name: "noise", content: contentOf(noise.subarray(0, 7), noise.subarray(7)) },
    );
    expect([...(await readArchive(bytes))]).toEqual([
      ["empty.csv", Buffer.alloc(0)],
      ["files/Grüße 東京.txt", Buffer.from("Hello, world")],
      ["noise", noise],
    ]);
    const archive = await fromBufferPromise(bytes, { lazyEntries: true });
    const told: unknown[] = [];
    for await (const entry of archive.eachEntry())
      told.push([entry.crc32, entry.versionNeededToExtract, entry.getLastModDate({ timezone: "UTC" }).toISOString()]);
    const time = "2026-11-25T10:20:30.000Z";
    expect(told).toEqual([
      [0, 20, time],
      [crc32("Hello, world"), 20, time],
      [crc32(noise), version, time],
    ]);
  });

  test("that broke off is damaged, and says so", async () => {
    const bytes = await zipped({}, { name: "a", content: contentOf(randomBytes(50_000)) });
    await expect(readArchive(bytes.subarray(0, -30))).rejects.toThrow(/end of central directory/i);
  });

  test("reads its contents no further ahead than a few chunks", async () => {
    let made = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (; ; made += 65_536) yield randomBytes(65_536);
    }
    let taken = 0;
    for await (const piece of zipOf(entriesOf({ name: "endless", content: endless() }))) {
      taken += piece.byteLength;
      await new Promise(setImmediate);
      expect(made - taken).toBeLessThan(1_000_000);
      if (taken > 10_000_000) break;
    }
    expect(made).toBeGreaterThan(9_000_000);
  });

  test("ends its content with its reader, and fails with its content", async () => {
    let isEnded = false;
    async function* watched(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) yield randomBytes(65_536);
      } finally {
        isEnded = true;
      }
    }
    const pieces = zipOf(entriesOf({ name: "a", content: watched() }));
    await pieces.next();
    await pieces.next();
    await pieces.return(undefined);
    await expect.poll(() => isEnded).toBe(true);
    await expect(zipped({}, { name: "a", content: failing() })).rejects.toThrow("The storage is gone.");
  });

  test("ends a content whose reader leaves before it is begun, since it may be open", async () => {
    let isEnded = false;
    const content = new ReadableStream<Uint8Array>({ cancel: () => void (isEnded = true) });
    const pieces = zipOf(entriesOf({ name: "a", content }));
    await pieces.next();
    await pieces.return(undefined);
    expect(isEnded).toBe(true);
  });
});
