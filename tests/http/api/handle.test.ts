import { beforeAll, expect, test } from "vitest";
import { z } from "zod";

import { handle } from "@/lib/http/api/handle";
import { readJson } from "@/lib/http/api/json-body";
import { defineOperation } from "@/lib/operation";
import { createAccessToken, createContext } from "@/tests/support/factories";

const rename = defineOperation({
  name: "rename",
  summary: "Rename something.",
  scopes: ["crm:write"],
  status: 201,
  input: z.strictObject({ id: z.string(), name: z.string().min(1), tags: z.array(z.string()).default([]) }),
  output: z.object({ id: z.string(), name: z.string() }),
  run: async (_context, { id, name }) => ({ id, name }),
});

let token: string;

beforeAll(async () => {
  token = await createAccessToken(await createContext({ scopes: ["crm:write"] }));
});

function send(method: string, query: string, body?: unknown): Promise<Response> {
  const request = new Request(`http://localhost:3000/api/v1/things/7${query}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return handle(request, rename, async () => ({ id: "7", ...(body !== undefined && (await readJson(request))) }));
}

test("path and body are the input, and the result is sent as JSON with its status", async () => {
  const response = await send("POST", "", { name: "Drill" });
  expect(response.status).toBe(201);
  expect(response.headers.get("content-type")).toBe("application/json");
  expect(await response.json()).toEqual({ id: "7", name: "Drill" });
});

test("all faults of a body are reported at once, with JSON pointers (RFC 6901)", async () => {
  const response = await send("POST", "", { nmae: "Drill", tags: ["a", 1], "a/b~c": 1 });
  expect(response.status).toBe(400);
  const problem = (await response.json()) as {
    code: string;
    errors: { pointer: string; code: string; detail: string }[];
  };
  expect(problem.code).toBe("invalid_request");
  expect(problem.errors.map(({ pointer }) => pointer).toSorted()).toEqual(["/a~1b~0c", "/name", "/nmae", "/tags/1"]);
  expect(problem.errors.find(({ pointer }) => pointer === "/nmae")).toMatchObject({
    code: "unknown_field",
    detail: expect.stringContaining("`name`"),
  });
});

test("a request with a body takes no parameters, not even with known names", async () => {
  const response = await send("POST", "?name=Saw&name=Drill&x=1", { name: "Drill" });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    code: "unknown_parameter",
    errors: [{ pointer: "?name" }, { pointer: "?x" }],
  });
});

test.each(["GET", "DELETE"])("the parameters of a %s are input", async (method) => {
  const response = await send(method, "?name=Saw");
  expect(await response.json()).toEqual({ id: "7", name: "Saw" });
  const missing = await send(method, "");
  expect(await missing.json()).toMatchObject({ code: "invalid_parameter", errors: [{ pointer: "?name" }] });
});

test("a body that is not JSON is a problem with a code of its own", async () => {
  const request = new Request("http://localhost:3000/api/v1/things/7", {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: "{",
  });
  const response = await handle(request, rename, () => readJson(request));
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ code: "invalid_body" });
});

test("of thousands of unknown parameters a hundred are reported", async () => {
  const query = `?${Array.from({ length: 2_000 }, (_, index) => `p${index}`).join("&")}`;
  for (const method of ["GET", "POST"]) {
    const problem = (await (await send(method, query, method === "POST" ? {} : undefined)).json()) as {
      errors: unknown[];
    };
    expect(problem.errors).toHaveLength(100);
  }
});

test("a token that may not do it is refused before the body, which may never end, is waited for", async () => {
  const context = await createContext({ scopes: ["erp:read"] });
  const authorization = `Bearer ${await createAccessToken(context)}`;
  const request = new Request("http://localhost:3000/api/v1/things/7", { method: "POST", headers: { authorization } });
  let isRead = false;
  const never = () => {
    isRead = true;
    return new Promise(() => undefined);
  };
  const response = await handle(request, rename, never);
  expect([response.status, isRead]).toEqual([403, false]);
});
