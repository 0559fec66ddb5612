import { access, readdir, readFile, writeFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, brotliDecompress } from "node:zlib";

import { SECURITY_HEADERS } from "@/lib/http/pages/content-security-policy";

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

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

/** Finds the compressed copy of a script or style of another build by its path below `.next`. */
type FindInOtherBuilds = (path: string) => Promise<Buffer | undefined>;

/**
 * Answers a request for a script or style with its compressed copy, where the browser takes one; what this build does
 * not have, with that of another build. Returns whether it did; Next answers all others. `root` is the repository's.
 */
export async function sendStatic(
  root: string,
  request: IncomingMessage,
  response: ServerResponse,
  findInOtherBuilds: FindInOtherBuilds,
): Promise<boolean> {
  const asked = staticPath(request);
  if (!asked) return false;
  const file = compressedName(join(root, ".next", asked.path));
  if (isLeftToNext(request) && (await exists(file))) return false;
  const own = await readFile(file).catch(() => undefined);
  const found = own ?? (await findInOtherBuilds(asked.path));
  if (found) await send(request, response, found, asked.type);
  return found !== undefined;
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

function staticPath({ url = "" }: IncomingMessage): { path: string; type: string } | undefined {
  const [, path, extension] = STATIC.exec(url.split("?", 1)[0] ?? "") ?? [];
  const type = TYPES[extension ?? ""];
  return path === undefined || type === undefined || path.includes("..") ? undefined : { path, type };
}

/** Sends what is compressed, to who takes it, or else its content. */
async function send(
  request: IncomingMessage,
  response: ServerResponse,
  compressed: Buffer,
  type: string,
): Promise<void> {
  const isCompressed = takesBrotli(request);
  const body = isCompressed ? compressed : await decompress(compressed);
  response.writeHead(200, {
    ...SECURITY_HEADERS,
    "content-type": type,
    ...(isCompressed && { "content-encoding": "br" }),
    "content-length": body.length,
    "cache-control": "public, max-age=31536000, immutable",
    vary: "accept-encoding",
  });
  response.end(request.method === "HEAD" ? undefined : body);
}

/** Next has the file itself, and parts of it. Of another build's, whole answers are sent (RFC 9110 §14.2). */
function isLeftToNext(request: IncomingMessage): boolean {
  return !takesBrotli(request) || request.headers.range !== undefined;
}

/** Browsers ask for Brotli over https and from localhost. */
function takesBrotli({ headers }: IncomingMessage): boolean {
  return /(?:^|[\s,])br(?!\s*;\s*q=0(?:\.0*)?(?:[\s,]|$))/.test(headers["accept-encoding"] ?? "");
}
