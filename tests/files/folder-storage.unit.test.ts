import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";

import { afterAll, expect, test } from "vitest";

import { contentKey } from "@/lib/files/file-storage";
import { folderStorage } from "@/lib/files/folder-storage";
import { newId } from "@/lib/ids";
import { isTransient } from "@/lib/migration/failure";

const folder = mkdtempSync(join(tmpdir(), "files-"));
const KEY = contentKey(newId(), newId());

afterAll(() => rmSync(folder, { recursive: true }));

async function* content(): AsyncGenerator<Uint8Array> {
  yield Buffer.from("content");
}

test("a content is stored, read and deleted; then, and before, there is none", async () => {
  const storage = folderStorage(join(folder, "files"));
  mkdirSync(join(folder, "files"));
  expect(await storage.read(KEY)).toBeNull();
  await storage.write(KEY, content());
  expect(await new Response(await storage.read(KEY)).text()).toBe("content");
  await storage.remove(KEY);
  await storage.remove(KEY);
  expect(await storage.read(KEY)).toBeNull();
});

/** The error of work on a folder, and whether it may pass. */
async function toldOf(work: Promise<unknown>): Promise<unknown[]> {
  const error: unknown = await work.catch((reason: unknown) => reason);
  return [String(error), isTransient(error)];
}

test("where the folder is gone, as that of a disk that is not mounted, no content is missing or deleted", async () => {
  const root = join(folder, "gone");
  const storage = folderStorage(root);
  await storage.write(KEY, content());
  rmSync(root, { recursive: true });
  for (const [work, refused] of [
    ["read", () => storage.read(KEY)],
    ["written", () => storage.remove(KEY)],
  ] as const)
    expect(await toldOf(refused())).toEqual([`StorageError: The folder of files cannot be ${work} (ENOENT).`, false]);
});

test("all contents of an organization are deleted, but those that are still written, and no other's", async () => {
  const root = join(folder, "several");
  const storage = folderStorage(root);
  const [ours, theirs] = [newId(), newId()];
  expect(await storage.removeAll(ours, 1000)).toBe(true);
  const keys = [ours, ours, theirs].map((organizationId) => contentKey(organizationId, newId()));
  for (const key of keys) await storage.write(key, content());
  writeFileSync(join(root, ours, "content.part"), "half");
  expect(await storage.removeAll(ours, -1)).toBe(false);
  expect(readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())).toHaveLength(3);
  expect(await storage.removeAll(ours, 1000)).toBe(true);
  const left = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(left.map(({ name }) => name).toSorted()).toEqual(["content.part", basename(keys[2] ?? "")].toSorted());
});

test("a folder that cannot be read is an error, as if it were written: its contents are not missing", async () => {
  const file = join(folder, "file");
  writeFileSync(file, "in place of the folder");
  const storage = folderStorage(file);
  for (const [work, refused] of [
    ["read", () => storage.read(KEY)],
    ["written", () => storage.write(KEY, content())],
    ["written", () => storage.remove(KEY)],
  ] as const)
    expect(await toldOf(refused())).toEqual([`StorageError: The folder of files cannot be ${work} (ENOTDIR).`, false]);
});

async function* busy(): AsyncGenerator<Uint8Array> {
  yield Buffer.from("half");
  throw Object.assign(new Error("too many open files"), { code: "EMFILE" });
}

test("a process that may open no further file at the moment may later", async () => {
  const storage = folderStorage(join(folder, "busy"));
  expect(await toldOf(storage.write(KEY, busy()))).toEqual([
    "StorageError: The folder of files cannot be written (EMFILE).",
    true,
  ]);
});

test("what a killed process has left of a content is deleted once it is old, and nothing else", async () => {
  const root = join(folder, "killed");
  const storage = folderStorage(root);
  expect(await storage.removeUnfinished(new Date())).toBe(0);
  await storage.write(KEY, content());
  const place = join(root, dirname(KEY));
  const old = new Date(Date.now() - 7_200_000);
  const name = basename(KEY);
  for (const part of [`${name}.old.part`, `${name}.new.part`]) writeFileSync(join(place, part), "half");
  for (const aged of [name, `${name}.old.part`]) utimesSync(join(place, aged), old, old);
  expect(await storage.removeUnfinished(new Date(Date.now() - 3_600_000))).toBe(1);
  expect(readdirSync(place).toSorted()).toEqual([name, `${name}.new.part`]);
});
