import { afterEach, describe, expect, it, vi } from "vitest";

import type { Problem } from "@/components/api/problem";
import { postsOnce } from "@/components/api/post-once";
import { sendJson } from "@/components/api/request";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const LOST = null;
const problem = (status: number, code: string) => Response.json({ title: "t", detail: "d", code }, { status });

/** A service that gives these answers in turn. Returns the keys that it gets. */
function answering(...answers: (Response | typeof LOST)[]): (string | null)[] {
  const keys: (string | null)[] = [];
  vi.stubGlobal("fetch", async (_: string, { headers }: RequestInit) => {
    keys.push(new Headers(headers).get("idempotency-key"));
    const answer = answers.shift();
    if (!answer) throw new TypeError("Failed to fetch");
    return answer;
  });
  return keys;
}

/** Sends these values one after the other, whatever becomes of them. */
async function send(...bodies: object[]): Promise<void> {
  const post = postsOnce();
  for (const body of bodies) await post("/cases/1/comments", body).catch(() => undefined);
}

const HELLO = { body: "Hello" };

describe("what is added by POST", () => {
  it.each([
    ["whose answer was lost", LOST],
    ["that an outage has cut off", problem(503, "service_unavailable")],
    ["that is still being done", problem(409, "idempotency_key_in_use")],
    ["that waits for a sign-in", problem(401, "unauthenticated")],
  ])("and %s has the same key when it is sent again", async (_, first) => {
    const keys = answering(first, Response.json({}));
    await send(HELLO, HELLO);
    expect(keys[0]).toMatch(/^[\w-]{10,}$/);
    expect(keys[1]).toBe(keys[0]);
  });

  it("has another key when it is something else", async () => {
    const keys = answering(LOST, LOST, LOST);
    await send(HELLO, { body: "Hello again" }, HELLO);
    expect(new Set(keys).size).toBe(3);
  });

  it.each([
    ["done", Response.json({})],
    ["refused", problem(422, "invalid_request")],
  ])("has another key once it was %s", async (_, answer) => {
    const keys = answering(answer, Response.json({}));
    await send(HELLO, HELLO);
    expect(keys[1]).not.toBe(keys[0]);
  });
});

it("has another key when it is sent again long after, and so is meant once more", async () => {
  const keys = answering(LOST, LOST, LOST);
  const post = postsOnce();
  const now = vi.spyOn(performance, "now").mockReturnValue(0);
  for (const minutes of [0, 4, 20]) {
    now.mockReturnValue(minutes * 60_000);
    await post("/cases/1/comments", HELLO).catch(() => undefined);
  }
  expect(keys[1]).toBe(keys[0]);
  expect(keys[2]).not.toBe(keys[0]);
});

describe("a lost answer", () => {
  it("of a change without a key asks to look first whether it was made", async () => {
    answering(LOST);
    const error = await sendJson("PATCH", "/accounts/1", {}).catch((thrown: unknown) => thrown);
    expect((error as Problem).message).toContain("look whether your change was made");
  });

  it("of what has a key asks to try again", async () => {
    answering(LOST);
    const error = await postsOnce()("/accounts", {}).catch((thrown: unknown) => thrown);
    expect((error as Problem).message).not.toContain("look whether");
  });
});
