import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { expect, test } from "vitest";

import { refuseInvalidRequest } from "@/scripts/service/web/refuse-invalid";

test("an unreadable request is answered with a problem on the API, elsewhere with a page and a link", async () => {
  await using server = createServer(
    (request, response) => void refuseInvalidRequest(request, response, "the-id"),
  ).listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const page = await fetch(`${origin}/a%ZZ`);
  expect([page.status, page.headers.get("content-type")]).toEqual([400, "text/html; charset=utf-8"]);
  expect([page.headers.get("x-request-id"), page.headers.get("x-content-type-options")]).toEqual(["the-id", "nosniff"]);
  expect(await page.text()).toContain('<a href="/">Go to the start page</a>');
  const refused = await fetch(`${origin}/accounts`, { method: "PROPFIND" });
  expect([refused.status, refused.headers.get("allow")]).toEqual([405, expect.stringContaining("GET")]);
  const problem = await fetch(`${origin}/api/v1/a%ZZ`);
  expect(await problem.json()).toMatchObject({ code: "invalid_request", status: 400 });
});
