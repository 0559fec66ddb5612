import { createHash } from "node:crypto";
import { type FileHandle, mkdir, open, unlink } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";

import { type FileStorage, folderRefused } from "@/lib/files/file-storage";
import { listKeys, nullIfMissing, type S3Settings, send, type Upload } from "@/lib/files/s3-requests";
import { newId } from "@/lib/ids";

/**
 * A bucket with the API of S3 as storage. A content is kept in a file of `folder` until it is sent: S3 wants its length
 * and digest first, and verifies them, so that it stores all of it or nothing.
 */
export function s3Storage(settings: S3Settings, folder: string): FileStorage {
  const remove = async (key: string) => {
    const body = await send(settings, "DELETE", key).catch(nullIfMissing);
    await body?.dump();
  };
  return {
    async write(key, content) {
      const file = await openNameless(folder);
      try {
        const body = await send(settings, "PUT", key, await keep(file, content));
        await body.dump();
      } finally {
        await file.close();
      }
    },
    async read(key) {
      const body = await send(settings, "GET", key).catch(nullIfMissing);
      return body && (Readable.toWeb(body) as ReadableStream<Uint8Array>);
    },
    remove,
    async removeAll(organizationId, milliseconds) {
      const end = performance.now() + milliseconds;
      const prefix = `${organizationId}/`;
      for (let after: string | undefined = prefix; after !== undefined;) {
        const keys: string[] = await listKeys(settings, prefix, after);
        for (const key of keys) {
          await remove(key);
          if (performance.now() > end) return false;
        }
        after = keys.at(-1);
      }
      return true;
    },
    // The storage has whole contents only, and what a killed process had kept here had no name.
    removeUnfinished: () => Promise.resolve(0),
  };
}

/** A file without a name: the system deletes it when it is closed, and when this process is killed. */
async function openNameless(folder: string): Promise<FileHandle> {
  const path = join(folder, `${newId()}.upload`);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = await open(path, "wx+", 0o600);
    await unlink(path);
    return file;
  } catch (error) {
    throw folderRefused("written", error);
  }
}

async function keep(file: FileHandle, content: AsyncIterable<Uint8Array>): Promise<Upload> {
  const digest = createHash("sha256");
  let size = 0;
  for await (const chunk of content) {
    digest.update(chunk);
    size += chunk.byteLength;
    await file.appendFile(chunk).catch((error: unknown) => {
      throw folderRefused("written", error);
    });
  }
  return { file, size, sha256: digest.digest("hex") };
}
