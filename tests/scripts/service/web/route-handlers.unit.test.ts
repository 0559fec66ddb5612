import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { beforeEach, expect, onTestFinished, test, vi } from "vitest";

import { log } from "@/lib/log";
import { type Metrics, registerMetrics } from "@/lib/observability/instruments";
import { observeRequest } from "@/scripts/service/web/observe-request";
import { openRouteHandlers } from "@/scripts/service/web/route-handlers";
import { listen } from "@/tests/support/hosts";

/** A route whose answer begins, and then fails with an error of the name that is asked for. */
const ROUTE = `
  exports.routeModule = {
    ensureUserland: async () => undefined,
    resolveHandler: () => (request) => {
      let pulled = 0;
      return new Response(new ReadableStream({
        pull(controller) {
          if (pulled++ === 0) return controller.enqueue(new Uint8Array(10));
          const name = new URL(request.url).searchParams.get("error");
          throw Object.assign(new Error("It ends here."), { name }, name === "AppError" && { code: "forbidden" });
        },
      }, { highWaterMark: 0 }));
    },
  };`;

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "build-"));
  const files = {
    "server/app-paths-manifest.json": JSON.stringify({ "/api/v1/list/route": "route.cjs" }),
    "app-path-routes-manifest.json": JSON.stringify({ "/api/v1/list/route": "/api/v1/list" }),
    "server/route.cjs": ROUTE,
  };
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return () => rm(folder, { recursive: true });
});

test.each([
  ["a refusal, which is no defect and is logged without a stack", "AppError", [], ["It ends here."], "403"],
  ["a defect, which whoever serves the request logs", "TypeError", ["It ends here."], [], "500"],
  ["an outage of the database", "NotConnected", ["It ends here."], [], "503"],
])("an answer is broken off by %s", async (_, name, thrown, logged, status) => {
  const observe = vi.fn<(labels: object, seconds: number) => void>();
  const requestsInFlight = { inc: () => undefined, dec: () => undefined };
  registerMetrics({ requests: { observe }, requestsInFlight } as unknown as Metrics);
  onTestFinished(() => registerMetrics(undefined));
  const info = vi.spyOn(log, "info").mockReturnValue(undefined);
  const answer = await openRouteHandlers(folder, (path) => path);
  const errors: unknown[] = [];
  await using server = createServer((request, response) => {
    observeRequest(request, response, "id", (path) => path);
    void answer(request, response).catch(({ message }: Error) => errors.push(message));
  });
  const origin = await listen(server);
  const downloading = fetch(`${origin}/api/v1/list?error=${name}`).then((response) => response.text());
  await expect(downloading).rejects.toThrow(/terminated|fetch failed/);
  expect(errors).toEqual(thrown);
  expect(observe).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ status }), expect.any(Number));
  expect(info.mock.calls).toEqual(logged.map((reason) => [{ reason }, "an answer was broken off"]));
});
