import { readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";

/** What a string of JavaScript needs two bytes per character for. */
const BEYOND_LATIN_1 = /[^\0-\u00ff]/g;

/**
 * Makes the chunks of the server smaller in memory, where each of their sources stays as long as the process runs:
 * a chunk that is written once per entry is loaded once, and a source in Latin-1 takes half the bytes (V8 keeps a
 * string with any other character in two bytes per character). Turbopack puts such characters only into strings,
 * templates and regular expressions, where an escape means the same. `folder` is that of the build (`.next`).
 */
export async function compactChunks(folder: string): Promise<void> {
  const root = join(folder, "server/chunks");
  const files = (await readdir(root, { recursive: true })).filter((file) => file.endsWith(".js")).toSorted();
  const firstWith = new Map<string, string>();
  for (const file of files) {
    const source = await readFile(join(root, file), "utf8");
    const first = firstWith.get(source);
    if (first === undefined) firstWith.set(source, file);
    await writeFile(join(root, file), first === undefined ? inLatin1(source) : reference(file, first));
  }
}

function inLatin1(source: string): string {
  return source.replaceAll(BEYOND_LATIN_1, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function reference(from: string, to: string): string {
  const path = relative(dirname(from), to);
  return `module.exports=require(${JSON.stringify(path.startsWith(".") ? path : `./${path}`)})\n`;
}
