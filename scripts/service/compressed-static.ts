import { readdir, readFile, writeFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress } from "node:zlib";

import { SECURITY_HEADERS } from "@/lib/http/pages/content-security-policy";

const compress = promisify(brotliCompress);

const TYPES: Record<string, string> = {
  js: "application/javascript; charset=UTF-8",
  css: "text/css; charset=UTF-8",
};

/** Scripts and styles of a build. Their names contain a digest of their content, and nothing that leads elsewhere. */
const STATIC = /^\/_next\/(static\/(?:[\w~.-]+\/)*[\w~-][\w~.-]*\.(js|css))$/;

/** The name of the compressed copy of a file. */
export function compressedName(file: string): string {
  return `${file}.br`;
}

/**
 * Tells browsers to compile a script's functions while it loads, beside the main thread. Otherwise a page stands still
 * while each module is compiled at its first call (https://v8.dev/blog/explicit-compile-hints).
 */
const COMPILE_AHEAD = "//# allFunctionsCalledOnLoad\n";

/**
 * Writes a compressed copy of every script and style of the build in `folder` (`.next`). Brotli at its best takes too
 * long for a request, and saves a seventh of what gzip sends.
 */
export async function compressStatic(folder: string): Promise<void> {
  const root = join(folder, "static");
  const files = (await readdir(root, { recursive: true })).filter((file) => /\.(?:js|css)$/.test(file));
  await Promise.all(
    files.map(async (file) => {
      const path = join(root, file);
      const content = await readFile(path, "utf8");
      const sent = file.endsWith(".js") ? COMPILE_AHEAD + content : content;
      await writeFile(compressedName(path), await compress(sent));
    }),
  );
}

/**
 * Answers a request for a script or style with its compressed copy, where the browser takes one. Returns whether it
 * did; Next answers all others. `root` is the repository's.
 */
export async function sendCompressed(
  root: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  const [, path, extension = ""] = STATIC.exec(request.url?.split("?", 1)[0] ?? "") ?? [];
  if (path === undefined || !takesBrotli(request) || path.includes("..")) return false;
  const body = await readFile(compressedName(join(root, ".next", path))).catch(() => undefined);
  if (!body) return false;
  response.writeHead(200, {
    ...SECURITY_HEADERS,
    "content-type": TYPES[extension],
    "content-encoding": "br",
    "content-length": body.length,
    "cache-control": "public, max-age=31536000, immutable",
    vary: "accept-encoding",
  });
  response.end(request.method === "HEAD" ? undefined : body);
  return true;
}

/** Browsers ask for Brotli over https and from localhost. A part of a file is left to Next. */
function takesBrotli({ method, headers }: IncomingMessage): boolean {
  const accepted = headers["accept-encoding"] ?? "";
  const isRead = method === "GET" || method === "HEAD";
  return isRead && headers.range === undefined && /(?:^|[\s,])br(?!\s*;\s*q=0(?:\.0*)?(?:[\s,]|$))/.test(accepted);
}
