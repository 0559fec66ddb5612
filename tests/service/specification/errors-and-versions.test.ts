import { beforeAll, describe, expect, test } from "vitest";

import { type Api, bearer, demo, openApi } from "@/tests/service/specification/support/service";

let api: Api;
beforeAll(async () => {
  api = await openApi();
});

interface Problem {
  status: number;
  code: string;
  detail: string;
}

describe("7. Errors: what the specification does not show, the documentation does", () => {
  test.each([
    ["an invalid cursor", "/opportunities?cursor=none", 400, "invalid_cursor"],
    [
      "a cursor that is no id of the service's",
      "/opportunities?cursor=00000000-0000-4000-8000-000000000000",
      400,
      "invalid_cursor",
    ],
    ["an out-of-range limit", "/opportunities?limit=201", 400, "invalid_parameter"],
    ["an unknown path", "/nothing", 404, "not_found"],
    ["an unknown record", "/opportunities/01900000-0000-7000-8000-000000000000", 404, "not_found"],
  ])("%s is answered by a problem with a code that has its page", async (_, path, status, code) => {
    const answer = await api.get<Problem>(path);
    expect(answer.headers.get("content-type")).toMatch(/^application\/problem\+json/);
    expect(answer).toMatchObject({ status, body: { status, code, detail: expect.stringMatching(/./) } });
    expect((await fetch(`${demo.base_url}/docs/errors/${code}`)).status).toBe(200);
  });

  test("an invalid token is answered by 401", async () => {
    const answer = await bearer("invalid").get<Problem>("/opportunities");
    expect(answer).toMatchObject({ status: 401, body: { code: "unauthenticated" } });
  });

  test("a refused limit says the range that there is", async () => {
    const { body } = await api.get<Problem>("/opportunities?limit=0");
    expect(body.detail).toMatch(/1 to 200/);
  });
});

describe("9. Versioning", () => {
  test("the REST API carries its version in the path prefix /api/v1, and has no other", async () => {
    const token = { headers: { authorization: "Bearer invalid" } };
    expect((await fetch(`${demo.base_url}/api/v1/opportunities`, token)).status).toBe(401);
    for (const path of ["/opportunities.json", "/api/opportunities", "/api/v2/opportunities", "/v1/opportunities"]) {
      expect([path, (await fetch(demo.base_url + path, token)).status]).toEqual([path, 404]);
    }
  });

  test("the documents of the API name it", async () => {
    const document = await api.must<{ servers: { url: string }[] }>("GET", "/openapi.json");
    expect(document.servers).toEqual([{ url: `${demo.base_url}/api/v1` }]);
  });

  test("the OAuth and discovery endpoints have no version prefix", async () => {
    for (const path of [
      "/oauth/authorize",
      "/oauth/token",
      "/.well-known/oauth-authorization-server",
      "/.well-known/oauth-protected-resource",
    ]) {
      const method = path === "/oauth/token" ? "POST" : "GET";
      expect((await fetch(demo.base_url + path, { method, redirect: "manual" })).status).not.toBe(404);
      expect([path, (await fetch(`${demo.base_url}/api/v1${path}`, { method, redirect: "manual" })).status]).toEqual([
        path,
        404,
      ]);
    }
  });
});

// The rows about MCP (1., 4. “The path at which MCP requests are sent”, 5. “Every MCP request …”) are tested in
// tests/service/mcp.test.ts.
