import { expect, test } from "vitest";

import { createAccessToken, createContext, insertRecord } from "@/tests/support/factories";

import { callRoute } from "@/tests/http/support/call-route";

test.each([
  ["POST", "/accounts", { name: "Alpine Tools" }],
  ["PUT", "/accounts/by_ext_id/A-1", { name: "Alpine Tools" }],
  ["POST", "/cases/{case}/comments", { body: "Have you tried it again?" }],
])("%s %s names the address of what it created, and that leads to it", async (method, path, body) => {
  const context = await createContext({ scopes: ["crm:write"] });
  const headers = { authorization: `Bearer ${await createAccessToken(context)}` };
  const asked = path.replace("{case}", await insertRecord("cases", context.organizationId));
  const created = await callRoute(method, asked, headers, body);
  expect(created.status).toBe(201);
  const location = created.headers.get("location") ?? "";
  expect(location).toMatch(/^\/api\/v1\//);
  const found = await callRoute("GET", location.replace("/api/v1", ""), headers);
  expect([found.status, JSON.parse(found.text)]).toEqual([200, JSON.parse(created.text)]);
});
