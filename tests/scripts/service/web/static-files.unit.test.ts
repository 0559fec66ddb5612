import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, request, type IncomingMessage, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";

import { afterAll, beforeAll, expect, test } from "vitest";

import { compressStatic, sendStatic } from "@/scripts/service/web/static-files";
import { assertLightPages, weighFramework, weighPages, weightTable } from "@/scripts/service/build/page-weights";
import { listen } from "@/tests/support/hosts";

const SCRIPT = "console.log('a page');\n".repeat(200);

let root = "";
let server: Server;
let origin = "";

async function write(path: string, text: string): Promise<void> {
  await mkdir(join(root, path, ".."), { recursive: true });
  await writeFile(join(root, path), text);
}

/** Another build has one more script. */
async function findInOtherBuilds(path: string): Promise<Buffer | undefined> {
  return path === "static/chunks/of-before.js" ? brotliCompressSync(SCRIPT) : undefined;
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "crm-static-"));
  await write(".next/static/chunks/0a~b-c.js", SCRIPT);
  await write(".next/static/chunks/own.js", SCRIPT);
  await write(".next/static/media/font.woff2", "font");
  await write(".next/build-manifest.json", JSON.stringify({ rootMainFiles: ["static/chunks/0a~b-c.js"] }));
  const manifest = {
    entryJSFiles: { "app/layout": ["static/chunks/0a~b-c.js"], "app/page": ["static/chunks/own.js"] },
  };
  await write(
    ".next/server/app/(console)/[resource]/page_client-reference-manifest.js",
    `globalThis.__RSC_MANIFEST = globalThis.__RSC_MANIFEST || {};
    globalThis.__RSC_MANIFEST["/(console)/[resource]/page"] = ${JSON.stringify(manifest)};`,
  );
  await compressStatic(join(root, ".next"));
  server = createServer((incoming, response) => {
    void sendStatic(root, incoming, response, findInOtherBuilds).then(
      (sent) => sent || response.writeHead(404).end("next"),
    );
  });
  origin = await listen(server);
});

afterAll(async () => {
  server.close();
  await rm(root, { recursive: true });
});

/** By Node's own client, which sends a path as it is and decodes nothing. */
async function get(path: string, headers: Record<string, string>, method = "GET") {
  const { port } = new URL(origin);
  const answer = await new Promise<IncomingMessage>((done, fail) => {
    request({ port, host: "127.0.0.1", path, headers, method }, done).once("error", fail).end();
  });
  return { status: answer.statusCode, headers: answer.headers, body: await buffer(answer) };
}

test("a script is sent compressed to who takes it, for ever, with the security headers of every answer", async () => {
  const { status, headers, body } = await get("/_next/static/chunks/0a~b-c.js?v=1", { "accept-encoding": "gzip, br" });
  expect(status).toBe(200);
  expect(brotliDecompressSync(body).toString()).toBe(`//# allFunctionsCalledOnLoad\n${SCRIPT}`);
  expect(headers).toMatchObject({
    "content-encoding": "br",
    "content-type": "application/javascript; charset=UTF-8",
    "cache-control": "public, max-age=31536000, immutable",
    "x-content-type-options": "nosniff",
    vary: "accept-encoding",
  });
  const head = await get("/_next/static/chunks/own.js", { "accept-encoding": "br" }, "HEAD");
  expect(head).toMatchObject({ status: 200, body: Buffer.alloc(0) });
});

test.each([
  ["a browser without Brotli", "/_next/static/chunks/own.js", { "accept-encoding": "gzip" }],
  ["a browser that refuses Brotli", "/_next/static/chunks/own.js", { "accept-encoding": "gzip, br;q=0" }],
  ["a part of a file", "/_next/static/chunks/own.js", { "accept-encoding": "br", range: "bytes=0-9" }],
  ["a file of another kind", "/_next/static/media/font.woff2", { "accept-encoding": "br" }],
  ["a file that there is not", "/_next/static/chunks/none.js", { "accept-encoding": "br" }],
  ["a path that leads elsewhere", "/_next/static/../static/chunks/own.js", { "accept-encoding": "br" }],
])("%s is left to Next", async (_, path, headers) => {
  expect(await get(path, headers)).toMatchObject({ status: 404, body: Buffer.from("next") });
});

test("a page weighs what a browser gets of its scripts, and one above the limit is named", async () => {
  const weights = await weighPages(join(root, ".next"));
  expect(weights).toEqual([{ page: "/[resource]", kilobytes: expect.closeTo(0.14, 1) }]);
  // One of its two scripts, which are the same, is Next's own; the page names that one again.
  expect(await weighFramework(join(root, ".next"))).toBe((weights[0]?.kilobytes ?? 0) / 2);
  expect(weightTable(weights)).toContain("/[resource]");
  expect(() => assertLightPages(weights)).not.toThrow();
  expect(() => assertLightPages([{ page: "/heavy", kilobytes: 250.1 }])).toThrow("/heavy (250.1 kB)");
});

test("a script of another build is sent to everybody, compressed or not", async () => {
  const path = "/_next/static/chunks/of-before.js";
  const compressed = await get(path, { "accept-encoding": "br" });
  expect([compressed.status, compressed.headers["content-encoding"]]).toEqual([200, "br"]);
  expect(brotliDecompressSync(compressed.body).toString()).toBe(SCRIPT);
  const plain = await get(path, { "accept-encoding": "gzip" });
  expect([plain.status, plain.headers["content-encoding"], plain.body.toString()]).toEqual([200, undefined, SCRIPT]);
  expect(plain.headers["cache-control"]).toContain("immutable");
  const part = await get(path, { "accept-encoding": "br", range: "bytes=0-9" });
  expect([part.status, brotliDecompressSync(part.body).toString()]).toEqual([200, SCRIPT]);
  expect((await get("/_next/static/chunks/of-nobody.js", { "accept-encoding": "br" })).status).toBe(404);
});
