import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

import { type FileStorage, StorageError } from "@/lib/files/file-storage";
import { newId } from "@/lib/ids";

/** A folder as storage. */
export function folderStorage(folder: string): FileStorage {
  const pathOf = (key: string) => join(folder, key);
  return {
    async write(key, content) {
      const path = pathOf(key);
      // Under another name until it is complete, so that a killed process leaves no half content.
      const part = `${path}.${newId()}.part`;
      try {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        await pipeline(Readable.from(content), createWriteStream(part, { mode: 0o600, flush: true }));
        await rename(part, path);
      } catch (error) {
        throw refusalIn(error) ?? error;
      } finally {
        await rm(part, { force: true });
      }
    },
    async read(key) {
      const path = pathOf(key);
      const found = await stat(path).catch(() => null);
      return found && (Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>);
    },
    async remove(key) {
      await rm(pathOf(key), { force: true });
    },
  };
}

/** Errors of files that last until somebody does something about them. All others are those of the content. */
const REFUSALS = /^(?:ENOSPC|EDQUOT|EROFS|EACCES|EPERM|ENOTDIR)$/;

function refusalIn(error: unknown): StorageError | null {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (!REFUSALS.test(code)) return null;
  return new StorageError(`The folder of files cannot be written (${code}).`, false, { cause: error });
}
