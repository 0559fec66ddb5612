import { beforeAll, describe, expect, test } from "vitest";

import { readDemo, tokenOf } from "@/tests/service/support/demo";
import { type RawAnswer, sendRaw } from "@/tests/service/support/raw-request";

const demo = readDemo();
let token: string;

beforeAll(async () => {
  token = await tokenOf(demo);
});

interface Call {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

/** Sends the target as it stands: no client's library corrects or refuses it first. */
function call(target: string, { method = "GET", headers = {}, body = "" }: Call = {}): Promise<RawAnswer> {
  const all = { host: "localhost", connection: "close", authorization: `Bearer ${token}`, ...headers };
  const length = body.length > 0 || method === "POST" ? { "content-length": String(Buffer.byteLength(body)) } : {};
  const lines = Object.entries({ ...length, ...all }).map(([name, value]) => `${name}: ${value}\r\n`);
  return sendRaw(
    demo.base_url,
    Buffer.concat([Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join("")}\r\n`, "latin1"), Buffer.from(body)]),
  );
}

function post(body: string | Buffer, type = "application/json"): Promise<RawAnswer> {
  return call("/api/v1/migration/analyze", { method: "POST", headers: { "content-type": type }, body });
}

/** "404 not_found". Every refusal of the API has the form of a problem, and its id stands in the header too. */
function refusal({ status, headers, body }: RawAnswer): string {
  expect(headers.get("content-type")).toBe("application/problem+json");
  const problem = JSON.parse(body) as { status: number; code: string; request_id: string; detail: string };
  expect(problem.status).toBe(status);
  expect(problem.detail).not.toBe("");
  expect(headers.get("x-request-id")).toBe(problem.request_id);
  return `${status} ${problem.code}`;
}

const LIST = "/api/v1/accounts";
const EMPTY = { headers: { "content-type": "application/json" }, body: "{}" };

describe("parameters", () => {
  test.each([
    "__proto__",
    "constructor",
    "hasOwnProperty",
    "toString",
    "nxtPresource",
    "nextInternalLocale",
    "_rsc",
    "limit%5B%5D",
    "%00",
    "=",
    "#",
  ])("%s is unknown, and named", async (name) => {
    const answer = await call(`${LIST}?${name === "#" ? "%23" : name}=1`);
    expect(refusal(answer)).toBe("400 unknown_parameter");
    expect(answer.body).toContain('"pointer":"?');
  });

  test.each([
    "1e2",
    "%205",
    "5%20",
    "+5",
    "%2B5",
    "0x10",
    "%EF%BC%95",
    "%D9%A5",
    "-0",
    "1.0",
    "1,0",
    "%00",
    "5%00",
    "",
    "NaN",
    "9".repeat(400),
  ])("limit=%s is no number from 1 to 200", async (limit) =>
    expect(refusal(await call(`${LIST}?limit=${limit}`))).toBe("400 invalid_parameter"),
  );

  test.each(["limit=1&limit=1", "limit=1&limit=2", "ext_id=a&ext_id=a"])("%s is given twice", async (query) => {
    const answer = await call(`${LIST}?${query}`);
    expect(refusal(answer)).toBe("400 invalid_parameter");
    expect(answer.body).toContain("given 2 times");
  });

  test.each(["%", "limit=%", "ext_id=%ED%A0%80", "%FF=1", "ext_id=%C0%80"])(
    "%s holds an escape that is no UTF-8",
    async (query) => {
      expect(refusal(await call(`${LIST}?${query}`))).toBe("400 invalid_request");
    },
  );

  test("thousands of them are refused briefly", async () => {
    const query = Array.from({ length: 2_000 }, (_, index) => `p${index}`).join("&");
    for (const answer of [
      await call(`${LIST}?${query}`),
      await call(`/api/v1/migration/run?${query}`, { method: "POST", ...EMPTY }),
    ]) {
      expect(refusal(answer)).toBe("400 unknown_parameter");
      expect(answer.body.length).toBeLessThan(50_000);
    }
  });
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
  ])("%s is not there, for every method", async (path) => {
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
      expect(refusal(await call(path, { method }))).toBe("404 not_found");
    }
    const head = await call(path, { method: "HEAD" });
    expect([head.status, head.body]).toEqual([404, ""]);
  });

  test.each(["%00", "..%2f..%2fetc", "%E2%80%AE", "a".repeat(8_000), "'%20OR%201=1--"])(
    "a record of the id %s is not there",
    async (id) => {
      expect(refusal(await call(`${LIST}/${id}`))).toBe("404 not_found");
    },
  );

  test("one of bytes that no request line may have is 400, without a body for HEAD", async () => {
    const lines = Buffer.from("GET /\xe9pi HTTP/1.1\r\nhost: localhost\r\n\r\n", "latin1");
    expect(refusal(await sendRaw(demo.base_url, lines))).toBe("400 invalid_request");
    const head = await sendRaw(demo.base_url, Buffer.concat([Buffer.from("HEAD"), lines.subarray(3)]));
    expect([head.status, head.body]).toEqual([400, ""]);
  });

  test("one that is longer than a server reads is 431", async () => {
    expect(refusal(await call(`${LIST}?ext_id=${"a".repeat(70_000)}`))).toBe("431 invalid_request");
  });
});

describe("methods", () => {
  test.each([
    [LIST, "DELETE", "GET, HEAD, POST, OPTIONS"],
    [`${LIST}/x`, "PUT", "GET, HEAD, PATCH, DELETE, OPTIONS"],
    ["/api/v1/migration/analyze", "GET", "POST, OPTIONS"],
    ["/api/health/live", "POST", "GET, HEAD, OPTIONS"],
    ["/api/auth/sign-in", "GET", "POST, OPTIONS"],
    ["/api/auth/csrf", "POST", "GET, HEAD, OPTIONS"],
    ["/api/auth/callback/credentials", "DELETE", "GET, HEAD, POST, OPTIONS"],
  ])("%s refuses %s and names those that it has", async (path, method, allow) => {
    const refused = await call(path, { method });
    expect(refusal(refused)).toBe("405 method_not_allowed");
    expect(refused.headers.get("allow")).toBe(allow);
    const options = await call(path, { method: "OPTIONS" });
    expect([options.status, options.headers.get("allow")]).toEqual([204, allow]);
  });

  test.each(["PROPFIND", "TRACE", "QUERY"])("%s is refused wherever it comes", async (method) => {
    for (const path of [LIST, "/api/auth/csrf", "/api/nothing"]) {
      expect(refusal(await call(path, { method }))).toBe("405 method_not_allowed");
    }
  });

  test("HEAD answers as GET does, without the body", async () => {
    for (const path of [LIST, "/api/health/live", "/api/auth/csrf"]) {
      const head = await call(path, { method: "HEAD" });
      const get = await call(path);
      expect([head.status, head.headers.get("content-type"), head.body]).toEqual([
        200,
        get.headers.get("content-type"),
        "",
      ]);
    }
  });

  test("every answer below /api has the id of its request, which a client cannot choose", async () => {
    const chosen = "0198f2b0-7c3e-7000-8000-000000000000";
    for (const path of [
      LIST,
      "/api/health/live",
      "/api/auth/csrf",
      "/api/auth/session",
      "/api/inngest",
      "/api/v1/accounts/",
    ]) {
      for (const method of ["GET", "HEAD", "OPTIONS"]) {
        const id = (await call(path, { method, headers: { "x-request-id": chosen } })).headers.get("x-request-id");
        expect(id).toMatch(/^[0-9a-f-]{36}$/);
        expect(id).not.toBe(chosen);
      }
    }
  });
});

test.each(["application/xml", "text/html", "image/*;q=0", "nonsense", "*/*", ""])(
  "Accept: %s is answered with JSON all the same",
  async (accept) => {
    const answer = await call(`${LIST}?limit=1`, { headers: { accept } });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/json"]);
    expect(refusal(await call("/api/v1/nothing", { headers: { accept } }))).toBe("404 not_found");
  },
);

test("a header by which Next tells its pages' own requests changes nothing", async () => {
  const answer = await call(`${LIST}?limit=1`, { headers: { rsc: "1", "next-router-prefetch": "1" } });
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/json"]);
});

describe("bodies", () => {
  test.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/jsonp",
    "",
    ";",
  ])("one of the type %j is refused", async (type) =>
    expect(refusal(await post("{}", type))).toBe("415 unsupported_media_type"),
  );

  test.each(["", "{", "[]", "null", "1", '{"a":1}{}', "{'a':1}", '{"a":NaN}', "\uFEFF{", '{"a":"\u0001"}'])(
    "%j is no JSON object",
    async (body) => {
      expect(refusal(await post(body))).toBe("400 invalid_body");
    },
  );

  test("bytes that are not UTF-8 are no JSON either", async () => {
    expect(refusal(await post(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])))).toBe("400 invalid_body");
  });

  test.each([
    '{"__proto__":{"connection_id":"x"}}',
    '{"constructor":{}}',
    '{"hasOwnProperty":1,"toString":1}',
    '{"connection_id":"a","connection_id":"b"}',
    '{"ext_instance_url":"https://a\\u0000.example","ext_access_token":"x"}',
    '{"ext_instance_url":"\\ud800","ext_access_token":"x"}',
    `{"a":${"[".repeat(20_000)}${"]".repeat(20_000)}}`,
    JSON.stringify(Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`f${index}`, 1]))),
  ])("body %# of those is not valid, and said where", async (body) => {
    const answer = await post(body);
    expect(refusal(answer)).toBe("400 invalid_request");
    expect(answer.body).toContain('"pointer":"/');
    expect(answer.body.length).toBeLessThan(50_000);
  });

  test("one of more than a megabyte is refused, and one of very many values", async () => {
    expect(refusal(await post(`{"a":[${"[],".repeat(50_000)}[]]}`))).toBe("413 payload_too_large");
    expect(refusal(await post(JSON.stringify({ ext_instance_url: "x".repeat(1_100_000) })))).toBe(
      "413 payload_too_large",
    );
  });
});

test("an answer that is larger than the buffers of a connection arrives whole, compressed or not", async () => {
  const data = { name: "Pump", description: "x".repeat(2_000) };
  const body = JSON.stringify({
    mode: "all_or_nothing",
    items: Array.from({ length: 200 }, () => ({ action: "create", data })),
  });
  const created = await call("/api/v1/products/batch", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  expect((JSON.parse(created.body) as { results: unknown[] }).results).toHaveLength(200);
  const listed = await call("/api/v1/products?limit=200");
  expect(listed.body.length).toBeGreaterThan(400_000);
  const compressed = await fetch(new URL("/api/v1/products?limit=200", demo.base_url), {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(compressed.headers.get("content-encoding")).toBe("gzip");
  expect(await compressed.text()).toBe(listed.body);
});

function head(target: string, more = ""): string {
  return `GET ${target} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\nconnection: close\r\n${more}\r\n`;
}

describe("on the wire", () => {
  test("an offer to change the protocol is passed over", async () => {
    const offer = head(`${LIST}?limit=1`, "upgrade: h2c\r\nhttp2-settings: AAMAAABkAAQAAP__\r\n").replace(
      "connection: close",
      "connection: upgrade, close",
    );
    expect((await sendRaw(demo.base_url, offer)).status).toBe(200);
  });

  test("a target may be a whole address, and is otherwise a path", async () => {
    expect((await sendRaw(demo.base_url, head(`http://localhost${LIST}?limit=1`))).status).toBe(200);
    expect((await sendRaw(demo.base_url, head("*"))).status).toBe(400);
  });

  test("two tokens are one too many", async () => {
    expect(refusal(await sendRaw(demo.base_url, head(LIST, "authorization: Bearer other\r\n")))).toBe(
      "400 invalid_request",
    );
  });

  test("what was asked is answered before what nobody can read behind it", async () => {
    const answer = await sendRaw(
      demo.base_url,
      `${head(`${LIST}?limit=1`).replace("connection: close\r\n", "")}garbage here\r\n\r\n`,
    );
    expect(answer.status).toBe(200);
  });

  test("a body that cannot be read is refused, and nothing waits for its rest", async () => {
    const lines = "content-type: application/json\r\ntransfer-encoding: chunked\r\n";
    const request = head("/api/v1/products", lines).replace("GET", "POST").replace("connection: close\r\n", "");
    expect((await sendRaw(demo.base_url, `${request}5\r\n{"nam\r\nthis is no size\r\n`)).status).toBe(400);
  });
});
