import { beforeAll, describe, expect, test } from "vitest";

import { LIST, RawApi, refusal } from "@/tests/service/support/raw-api";

let api: RawApi;

beforeAll(async () => {
  api = await RawApi.open();
});

test("an answer larger than the connection's buffers arrives whole, compressed or not", async () => {
  const data = { name: "Pump", description: "x".repeat(2_000) };
  const body = JSON.stringify({
    mode: "all_or_nothing",
    items: Array.from({ length: 200 }, () => ({ action: "create", data })),
  });
  const created = await api.call("/api/v1/products/batch", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  expect((JSON.parse(created.body) as { results: unknown[] }).results).toHaveLength(200);
  const listed = await api.call("/api/v1/products?limit=200");
  expect(listed.body.length).toBeGreaterThan(400_000);
  const compressed = await fetch(new URL("/api/v1/products?limit=200", api.baseUrl), {
    headers: { authorization: `Bearer ${api.token}` },
  });
  expect(compressed.headers.get("content-encoding")).toBe("gzip");
  expect(await compressed.text()).toBe(listed.body);
});

describe("connections", () => {
  test("a request for a protocol upgrade is ignored", async () => {
    const offer = api
      .head(`${LIST}?limit=1`, "upgrade: h2c\r\nhttp2-settings: AAMAAABkAAQAAP__\r\n")
      .replace("connection: close", "connection: upgrade, close");
    expect((await api.send(offer)).status).toBe(200);
  });

  test("hundreds of requests that are sent at once on one connection are all answered, in their order", async () => {
    const kinds = Array.from({ length: 300 }, (_, index) => (index % 3 === 0 ? "resource" : "next_cursor"));
    const heads = kinds.map((kind) => api.head(kind === "resource" ? "/api/v1/record_counts" : `${LIST}?limit=1`));
    const open = heads.slice(0, -1).map((head) => head.replace("connection: close\r\n", ""));
    const { body } = await api.send([...open, ...heads.slice(-1)].join(""));
    const answers = body.split("HTTP/1.1 200 OK");
    expect(answers.map((answer) => /"(resource|next_cursor)"/.exec(answer)?.[1])).toEqual(kinds);
  });

  test("a request target is an absolute URL or a path", async () => {
    expect((await api.send(api.head(`http://localhost${LIST}?limit=1`))).status).toBe(200);
    expect((await api.send(api.head("*"))).status).toBe(400);
  });

  test("a request without a Host header, or with two, is refused in words", async () => {
    for (const target of [LIST, `http://localhost${LIST}`])
      for (const [count, lines] of [
        ["no", ""],
        ["2", "host: localhost\r\nhost: other.example\r\n"],
      ] as const) {
        const answer = await api.send(api.head(target).replace(/^host: .*\r\n/im, lines));
        expect(refusal(answer)).toBe("400 invalid_request");
        expect(answer.body).toContain(`has ${count} Host headers`);
      }
  });

  test("an unknown expectation is ignored, and a tunnel is refused in words", async () => {
    expect((await api.send(api.head(`${LIST}?limit=1`, "expect: anything\r\n"))).status).toBe(200);
    const answer = await api.send("CONNECT other.example:443 HTTP/1.1\r\nhost: other.example:443\r\n\r\n");
    expect([refusal(answer), answer.headers.get("connection")]).toEqual(["405 method_not_allowed", "close"]);
  });

  test.each([
    ["a method that nobody knows", "BREW", "501 invalid_request", "No resource has this method."],
    ["a line that is no request", "BREW\u0001", "400 invalid_request", "This is not an HTTP/1.1 request."],
  ])("%s is refused in words", async (_, method, said, detail) => {
    const answer = await api.send(api.head(LIST).replace("GET", method));
    expect([refusal(answer), answer.headers.get("connection")]).toEqual([said, "close"]);
    expect(answer.body).toContain(detail);
  });

  test("two Authorization headers are refused", async () => {
    expect(refusal(await api.send(api.head(LIST, "authorization: Bearer other\r\n")))).toBe("400 invalid_request");
  });

  test("a request is answered even if unreadable bytes follow it", async () => {
    const answer = await api.send(
      `${api.head(`${LIST}?limit=1`).replace("connection: close\r\n", "")}garbage here\r\n\r\n`,
    );
    expect(answer.status).toBe(200);
  });

  test("an unreadable body is refused without waiting for the rest", async () => {
    const lines = "content-type: application/json\r\ntransfer-encoding: chunked\r\n";
    const request = api.head("/api/v1/products", lines).replace("GET", "POST").replace("connection: close\r\n", "");
    expect((await api.send(`${request}5\r\n{"nam\r\nthis is no size\r\n`)).status).toBe(400);
  });
});
