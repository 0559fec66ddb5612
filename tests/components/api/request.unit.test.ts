import { afterEach, expect, it, vi } from "vitest";

import { Problem } from "@/components/api/problem";
import { createQueryClient } from "@/components/api/query-client";
import { getReachable, setReachable } from "@/components/api/reachability";
import { getJson, sendJson, sendParts, setShownPerson } from "@/components/api/request";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  setShownPerson(null);
  setReachable(true);
});

/** An answer that breaks off after the first bytes of its body. */
async function breakingOff(): Promise<Response> {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode('{"id":')),
    pull: (controller) => controller.error(new TypeError("terminated")),
  });
  return new Response(body);
}

/** A service that does not answer: a request ends only with its signal. */
function silent(): void {
  vi.stubGlobal("fetch", (_: string, { signal }: RequestInit) => {
    const { promise, reject } = Promise.withResolvers<Response>();
    signal?.addEventListener("abort", () => reject(signal.reason as Error));
    return promise;
  });
}

it("a connection that breaks within an answer is one that broke, and no defect of the page", async () => {
  vi.stubGlobal("fetch", breakingOff);
  await expect(getJson("/accounts")).rejects.toMatchObject({
    code: "network",
    message: expect.stringContaining("then try again"),
  });
  const lookFirst = { code: "network", message: expect.stringContaining("look whether") };
  await expect(sendJson("PATCH", "/accounts/1", {})).rejects.toMatchObject(lookFirst);
  await expect(sendParts("/accounts/batch", [])).rejects.toMatchObject(lookFirst);
});

it("an answer that takes too long is not waited for, nor asked for again and again as if nobody answered", async () => {
  silent();
  const timeout = new AbortController();
  const limit = vi.spyOn(AbortSignal, "timeout").mockReturnValue(timeout.signal);
  const reading = getJson("/accounts", new AbortController().signal);
  timeout.abort(new DOMException("The operation timed out.", "TimeoutError"));
  const problem: unknown = await reading.catch((error: unknown) => error);
  expect(problem).toMatchObject({ code: "timeout", message: expect.stringContaining("try again") });
  expect(getReachable()).toBe(true);
  const retry = createQueryClient().getDefaultOptions().queries?.retry as (failures: number, error: unknown) => boolean;
  expect([retry(0, problem), retry(0, new Problem({ title: "", detail: "", code: "network" }))]).toEqual([false, true]);
  // Balancers wait 90 seconds for an answer (docs/deploy.md).
  expect(limit.mock.calls[0]?.[0]).toBeGreaterThan(90_000);
});

it("what a page no longer wants to read is no lost connection", async () => {
  silent();
  const left = new AbortController();
  const reading = getJson("/accounts", left.signal);
  left.abort();
  await expect(reading).rejects.toMatchObject({ name: "AbortError" });
  expect(getReachable()).toBe(true);
});

it("each request says whom the page shows as signed in, once it has a frame", async () => {
  const sent: (string | null)[] = [];
  vi.stubGlobal("fetch", async (_: string, { headers }: RequestInit) => {
    sent.push(new Headers(headers).get("shown-person"));
    return Response.json({});
  });
  await getJson("/accounts");
  setShownPerson("acme/ada");
  await getJson("/accounts");
  await sendJson("POST", "/accounts", {});
  expect(sent).toEqual([null, "acme/ada", "acme/ada"]);
});
