import { createWriteStream } from "node:fs";
import { access, mkdir, open, opendir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

import { type FileStorage, folderRefused, systemCode } from "@/lib/files/file-storage";
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
        throw OF_FOLDER.test(systemCode(error)) ? folderRefused("written", error) : error;
      } finally {
        // Where this fails as well, the first error says why.
        await rm(part, { force: true }).catch(() => undefined);
      }
    },
    async read(key) {
      // Opened before the answer begins, so that a content which cannot be read is a refusal and not half an answer.
      const file = await open(pathOf(key)).catch((error: unknown) => nullIfMissing(folder, "read", error));
      return file && (Readable.toWeb(file.createReadStream()) as ReadableStream<Uint8Array>);
    },
    async remove(key) {
      await rm(pathOf(key)).catch((error: unknown) => nullIfMissing(folder, "written", error));
    },
    async removeAll(organizationId, milliseconds) {
      const end = performance.now() + milliseconds;
      for await (const path of filesIn(join(folder, organizationId))) {
        // Whoever still writes a content removes it.
        if (path.endsWith(UNFINISHED)) continue;
        await rm(path, { force: true });
        if (performance.now() > end) return false;
      }
      return true;
    },
    async removeUnfinished(before) {
      let removed = 0;
      for await (const path of filesIn(folder)) {
        if (!path.endsWith(UNFINISHED)) continue;
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
async function* filesIn(folder: string): AsyncGenerator<string> {
  const entries = await opendir(folder, { recursive: true }).catch((error: unknown) => {
    if (systemCode(error) === "ENOENT") return [];
    throw folderRefused("read", error);
  });
  for await (const entry of entries) if (entry.isFile()) yield join(entry.parentPath, entry.name);
}

/** Errors of a write that are those of the folder. All others are those of the content. */
const OF_FOLDER = /^(?:ENOSPC|EDQUOT|EROFS|EACCES|EPERM|ENOTDIR|EIO|EMFILE|ENFILE|EAGAIN)$/;

/**
 * Null where `error` says that a content is missing. Throws what else it says. Where the folder itself is missing, as
 * that of a disk which is not mounted, nothing is known of the content: whoever asks for one has stored it.
 */
async function nullIfMissing(folder: string, work: "read" | "written", error: unknown): Promise<null> {
  if (systemCode(error) !== "ENOENT") throw folderRefused(work, error);
  await access(folder).catch((missing: unknown) => {
    throw folderRefused(work, missing);
  });
  return null;
}
