import { createWriteStream } from "node:fs";
import { mkdir, open, opendir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

import { type FileStorage, StorageError } from "@/lib/files/file-storage";
import { newId } from "@/lib/ids";

/** The end of the name of a content that is not complete. */
const UNFINISHED = ".part";

/** A folder as storage. */
export function folderStorage(folder: string): FileStorage {
  const pathOf = (key: string) => join(folder, key);
  return {
    async write(key, content) {
      const path = pathOf(key);
      // Under another name until it is complete, so that a killed process leaves no half content.
      const part = `${path}.${newId()}${UNFINISHED}`;
      try {
        const made = await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        await pipeline(Readable.from(content), createWriteStream(part, { mode: 0o600, flush: true }));
        await rename(part, path);
        await syncNames(dirname(path), made && dirname(made));
      } catch (error) {
        throw LASTING.test(codeOf(error)) ? refused("written", error) : error;
      } finally {
        // Where this fails as well, the first error says why.
        await rm(part, { force: true }).catch(() => undefined);
      }
    },
    async read(key) {
      // Opened before the answer begins, so that a content which cannot be read is a refusal and not half an answer.
      const file = await open(pathOf(key)).catch((error: unknown) => {
        if (codeOf(error) === "ENOENT") return null;
        throw refused("read", error);
      });
      return file && (Readable.toWeb(file.createReadStream()) as ReadableStream<Uint8Array>);
    },
    async remove(key) {
      await rm(pathOf(key), { force: true });
    },
    async removeUnfinished(before) {
      let removed = 0;
      for await (const path of unfinishedIn(folder)) {
        // Its writer may have completed it meanwhile.
        const found = await stat(path).catch(() => null);
        if (!found || found.mtime > before) continue;
        await rm(path, { force: true });
        removed += 1;
      }
      return removed;
    },
  };
}

/**
 * Syncs the names in a folder, and in those above it up to `top`, so that they outlive a loss of power as the row of
 * the content in the database does.
 */
async function syncNames(folder: string, top = folder): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
  if (folder !== top) await syncNames(dirname(folder), top);
}

/** One after the other, since a folder may have a million contents; none of a folder that is not there yet. */
async function* unfinishedIn(folder: string): AsyncGenerator<string> {
  const entries = await opendir(folder, { recursive: true }).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return [];
    throw refused("read", error);
  });
  for await (const { name, parentPath } of entries) if (name.endsWith(UNFINISHED)) yield join(parentPath, name);
}

/** Errors of a write that last until somebody does something about them. All others are those of the content. */
const LASTING = /^(?:ENOSPC|EDQUOT|EROFS|EACCES|EPERM|ENOTDIR)$/;

function refused(work: "read" | "written", error: unknown): StorageError {
  return new StorageError(`The folder of files cannot be ${work} (${codeOf(error)}).`, false, { cause: error });
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
