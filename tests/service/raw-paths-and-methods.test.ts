import { beforeAll, describe, expect, test } from "vitest";

import { LIST, RawApi, refusal } from "@/tests/service/support/raw-api";

let api: RawApi;

beforeAll(async () => {
  api = await RawApi.open();
});

describe("addresses", () => {
  test.each([
    "/api",
    "/api/v1",
    "/api/v2/accounts",
    "/api/whatever",
    "/api/v1/accounts/a/b",
    "/api/auth",
    "/api/auth/nothing",
    "/.well-known/nothing",
  ])("%s does not exist, for any method", async (path) => {
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
      expect(refusal(await api.call(path, { method }))).toBe("404 not_found");
    }
    const head = await api.call(path, { method: "HEAD" });
    expect([head.status, head.body]).toEqual([404, ""]);
  });

  test.each(["%00", "..%2f..%2fetc", "%E2%80%AE", "a".repeat(8_000), "'%20OR%201=1--"])(
    "a record with the id %s does not exist",
    async (id) => {
      expect(refusal(await api.call(`${LIST}/${id}`))).toBe("404 not_found");
    },
  );

  test("invalid bytes in the request line are 400, without a body for HEAD", async () => {
    const lines = Buffer.from("GET /\xe9pi HTTP/1.1\r\nhost: localhost\r\n\r\n", "latin1");
    expect(refusal(await api.send(lines))).toBe("400 invalid_request");
    const head = await api.send(Buffer.concat([Buffer.from("HEAD"), lines.subarray(3)]));
    expect([head.status, head.body]).toEqual([400, ""]);
  });

  test("an address that is too long is 431", async () => {
    expect(refusal(await api.call(`${LIST}?ext_id=${"a".repeat(70_000)}`))).toBe("431 invalid_request");
  });
});

describe("methods", () => {
  test.each([
    [LIST, "DELETE", "GET, HEAD, POST, OPTIONS"],
    [`${LIST}/x`, "PUT", "GET, HEAD, PATCH, DELETE, OPTIONS"],
    ["/api/v1/migration/analyze", "GET", "POST, OPTIONS"],
    ["/api/health/live", "POST", "GET, HEAD, OPTIONS"],
    ["/api/auth/sign-in", "GET", "POST, OPTIONS"],
    ["/api/auth/password-link", "GET", "POST, PUT, OPTIONS"],
  ])("%s refuses %s and lists the allowed methods", async (path, method, allow) => {
    const refused = await api.call(path, { method });
    expect(refusal(refused)).toBe("405 method_not_allowed");
    expect(refused.headers.get("allow")).toBe(allow);
    const options = await api.call(path, { method: "OPTIONS" });
    expect([options.status, options.headers.get("allow")]).toEqual([204, allow]);
  });

  test.each(["PROPFIND", "TRACE", "QUERY"])("%s is refused on every path", async (method) => {
    for (const path of [LIST, "/api/auth/sign-in", "/api/nothing"]) {
      expect(refusal(await api.call(path, { method }))).toBe("405 method_not_allowed");
    }
  });

  test("HEAD answers like GET, without the body", async () => {
    for (const path of [LIST, "/api/health/live"]) {
      const head = await api.call(path, { method: "HEAD" });
      const get = await api.call(path);
      expect([head.status, head.headers.get("content-type"), head.body]).toEqual([
        200,
        get.headers.get("content-type"),
        "",
      ]);
    }
  });

  test("every answer below /api has a request id, which a client cannot choose", async () => {
    const chosen = "0198f2b0-7c3e-7000-8000-000000000000";
    for (const path of [
      LIST,
      "/api/health/live",
      "/api/auth/sign-in",
      "/api/auth/nothing",
      "/api/inngest",
      "/api/v1/accounts/",
    ]) {
      for (const method of ["GET", "HEAD", "OPTIONS"]) {
        const id = (await api.call(path, { method, headers: { "x-request-id": chosen } })).headers.get("x-request-id");
        expect(id).toMatch(/^[0-9a-f-]{36}$/);
        expect(id).not.toBe(chosen);
      }
    }
  });
});

test.each(["application/xml", "text/html", "image/*;q=0", "nonsense", "*/*", ""])(
  "Accept: %s is answered with JSON",
  async (accept) => {
    const answer = await api.call(`${LIST}?limit=1`, { headers: { accept } });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/json"]);
    expect(refusal(await api.call("/api/v1/nothing", { headers: { accept } }))).toBe("404 not_found");
  },
);

test("a header of Next's own page requests changes nothing", async () => {
  const answer = await api.call(`${LIST}?limit=1`, { headers: { rsc: "1", "next-router-prefetch": "1" } });
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/json"]);
});
