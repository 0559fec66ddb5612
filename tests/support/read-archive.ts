import { buffer } from "node:stream/consumers";

import { fromBufferPromise } from "yauzl";

/** The files of a ZIP archive by their names, read by a program that is not ours. Throws for one that is damaged. */
export async function readArchive(bytes: Buffer): Promise<Map<string, Buffer>> {
  const archive = await fromBufferPromise(bytes, { lazyEntries: true });
  const files = new Map<string, Buffer>();
  for await (const entry of archive.eachEntry())
    files.set(entry.fileName, await buffer(await archive.openReadStreamPromise(entry)));
  return files;
}
