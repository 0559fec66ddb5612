import { expect, test } from "vitest";

import { GET, OPTIONS, POST } from "@/app/api/v1/openapi.json/route";

const ask = (headers: HeadersInit = {}) => GET(new Request("http://localhost:3000/api/v1/openapi.json", { headers }));

test("anybody can read the document, from a page of any origin, and cache it", async () => {
  const answer = ask();
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe("application/json");
  expect(answer.headers.get("access-control-allow-origin")).toBe("*");
  expect(answer.headers.get("cache-control")).toBe("public, max-age=300");
  expect(await answer.json()).toMatchObject({ openapi: "3.1.0", servers: [{ url: "http://localhost:3000/api/v1" }] });
});

test("a client that has it already gets 304 without a body", async () => {
  const etag = ask().headers.get("etag") ?? "";
  expect(etag).toMatch(/^"[\w-]{22}"$/);
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
    const answer = ask({ "if-none-match": known });
    expect(answer.status).toBe(304);
    expect(answer.headers.get("etag")).toBe(etag);
    expect(await answer.text()).toBe("");
  }
  expect(ask({ "if-none-match": '"other"' }).status).toBe(200);
});

test("a parameter is refused, as everywhere in the API", async () => {
  const answer = GET(new Request("http://localhost:3000/api/v1/openapi.json?x=1"));
  expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([400, "*"]);
  expect(await answer.json()).toMatchObject({ code: "unknown_parameter", errors: [{ pointer: "?x" }] });
});

test("other methods are refused, and OPTIONS answers a preflight", () => {
  expect(POST(new Request("http://localhost:3000/api/v1/openapi.json", { method: "POST" })).status).toBe(405);
  expect(OPTIONS().headers.get("access-control-allow-origin")).toBe("*");
});
