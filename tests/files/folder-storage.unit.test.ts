import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

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
  expect(await storage.read(KEY)).toBeNull();
  await storage.write(KEY, content());
  expect(await new Response(await storage.read(KEY)).text()).toBe("content");
  await storage.remove(KEY);
  expect(await storage.read(KEY)).toBeNull();
});

test("a folder that cannot be read is an error, as if it were written: its contents are not missing", async () => {
  const file = join(folder, "file");
  writeFileSync(file, "in place of the folder");
  const storage = folderStorage(file);
  for (const [work, refused] of [
    ["read", storage.read(KEY)],
    ["written", storage.write(KEY, content())],
  ] as const) {
    const error: unknown = await refused.catch((reason: unknown) => reason);
    expect([String(error), isTransient(error)]).toEqual([
      `StorageError: The folder of files cannot be ${work} (ENOTDIR).`,
      false,
    ]);
  }
});
