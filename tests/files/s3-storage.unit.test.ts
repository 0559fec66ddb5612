import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

import { contentKey, type FileStorage } from "@/lib/files/file-storage";
import { s3Storage } from "@/lib/files/s3-storage";
import { newId } from "@/lib/ids";
import { isTransient } from "@/lib/migration/failure";
import { type S3Server, startS3Server } from "@/tests/support/s3-server";

const folder = mkdtempSync(join(tmpdir(), "s3-"));
let server: S3Server;
let storage: FileStorage;

beforeAll(async () => {
  server = await startS3Server();
  storage = s3Storage(server, folder);
});
beforeEach(() => {
  server.faults = [];
  server.requests = [];
  server.objects.clear();
});
afterAll(() => rmSync(folder, { recursive: true }));

async function* chunksOf(content: Uint8Array, size = 64 * 1024): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < content.byteLength; start += size) yield content.subarray(start, start + size);
}

async function* broken(): AsyncGenerator<Uint8Array> {
  yield Buffer.from("half");
  throw new Error("broken off");
}

const keyOf = () => contentKey(newId(), newId());

async function bytesOf(key: string): Promise<Buffer | null> {
  const found = await storage.read(key);
  return found && Buffer.from(await new Response(found).arrayBuffer());
}

test.each([0, 1, 3_000_001])("a content of %i bytes is stored, read and deleted", async (size) => {
  const [key, content] = [keyOf(), randomBytes(size)];
  await storage.write(key, chunksOf(content));
  expect(server.objects.get(key)?.equals(content)).toBe(true);
  expect((await bytesOf(key))?.equals(content)).toBe(true);
  await storage.remove(key);
  await storage.remove(key);
  expect(await storage.read(key)).toBeNull();
  expect(readdirSync(folder)).toEqual([]);
});

test("a second content replaces the first", async () => {
  const key = keyOf();
  await storage.write(key, chunksOf(Buffer.from("first")));
  await storage.write(key, chunksOf(Buffer.from("second")));
  expect(String(await bytesOf(key))).toBe("second");
});

test("a storage that is busy is asked again, with the whole content", async () => {
  const [key, content] = [keyOf(), randomBytes(200_000)];
  server.faults = [503, 500];
  await storage.write(key, chunksOf(content));
  expect(server.requests).toEqual(Array<string>(3).fill(`PUT ${key}`));
  expect(server.objects.get(key)?.equals(content)).toBe(true);
});

test("a storage that stays busy is an error that may pass; a wrong secret is one that does not", async () => {
  server.faults = [503, 503, 503];
  const busy: unknown = await storage.write(keyOf(), chunksOf(Buffer.from("x"))).catch((error: unknown) => error);
  expect([String(busy), isTransient(busy)]).toEqual([
    "StorageError: The storage of files answered 503 InternalError.",
    true,
  ]);
  const key = keyOf();
  const stranger = s3Storage({ ...server, secretAccessKey: "another" }, folder);
  const refused: unknown = await stranger.write(key, chunksOf(Buffer.from("x"))).catch((error: unknown) => error);
  expect([String(refused), isTransient(refused)]).toEqual([
    "StorageError: The storage of files answered 403 SignatureDoesNotMatch.",
    false,
  ]);
  expect(server.objects.size).toBe(0);
});

test("a storage that is not there is an error that may pass", async () => {
  const nowhere = s3Storage({ ...server, url: "http://127.0.0.1:1/bucket" }, folder);
  const error: unknown = await nowhere.read(keyOf()).catch((reason: unknown) => reason);
  expect([String(error), isTransient(error)]).toEqual(["StorageError: The storage of files cannot be reached.", true]);
});

test.each([
  ["404 NoSuchBucket", "<Error><Code>NoSuchBucket</Code></Error>", false],
  ["404", "<html>default backend</html>", true],
])("an answer %s with the body “%s” does not say that a content is missing", async (says, body, transient) => {
  const key = keyOf();
  await storage.write(key, chunksOf(Buffer.from("content")));
  const removeAll = () => storage.removeAll("an-organization", 1000);
  for (const work of [() => storage.read(key), () => storage.remove(key), removeAll]) {
    server.faults = [
      [404, body],
      [404, body],
      [404, body],
    ];
    const error: unknown = await work().catch((reason: unknown) => reason);
    const told = `StorageError: The storage of files answered ${says}.`;
    expect([String(error), isTransient(error)]).toEqual([told, transient]);
  }
  server.faults = [];
  expect(String(await bytesOf(key))).toBe("content");
});

test("an object that is missing when it is deleted may be answered as missing, too", async () => {
  server.faults = [[404, "<Error><Code>NoSuchKey</Code></Error>"]];
  expect(await storage.remove(keyOf())).toBeUndefined();
});

test("all contents of an organization are deleted, over several lists, and no other's", async () => {
  const [ours, theirs] = [newId(), newId()];
  const other = contentKey(theirs, newId());
  const keys = Array.from({ length: 7 }, () => contentKey(ours, newId()));
  for (const key of [...keys, other, `${ours}0/other`]) await storage.write(key, chunksOf(Buffer.from("content")));
  expect(await storage.removeAll(ours, -1)).toBe(false);
  expect(server.objects.size).toBe(8);
  expect(await storage.removeAll(ours, 1000)).toBe(true);
  expect([...server.objects.keys()]).toEqual([other, `${ours}0/other`]);
  server.faults = [[200, "<html>Welcome</html>"]];
  await expect(storage.removeAll(theirs, 1000)).rejects.toThrow("did not answer with a list of its objects");
});

test("a folder in which no content can be kept until it is sent is told as the storage's", async () => {
  const file = join(folder, "file");
  writeFileSync(file, "in place of the folder");
  const writing = s3Storage(server, join(file, "below")).write(keyOf(), chunksOf(Buffer.from("x")));
  await expect(writing).rejects.toMatchObject({
    name: "StorageError",
    message: "The folder of files cannot be written (ENOTDIR).",
  });
  rmSync(file);
});

test("a storage that never answers is asked again, and given up as one that is not there", async () => {
  const [key, hasty] = [keyOf(), s3Storage({ ...server, timeoutMs: 100 }, folder)];
  await storage.write(key, chunksOf(Buffer.from("content")));
  server.faults = [0];
  expect(await new Response(await hasty.read(key)).text()).toBe("content");
  server.faults = [0, 0, 0];
  const error: unknown = await hasty.read(key).catch((reason: unknown) => reason);
  expect([String(error), isTransient(error)]).toEqual(["StorageError: The storage of files cannot be reached.", true]);
});

test("of a content that breaks off nothing is stored or left behind", async () => {
  await expect(storage.write(keyOf(), broken())).rejects.toThrow("broken off");
  expect([server.requests, readdirSync(folder)]).toEqual([[], []]);
});
