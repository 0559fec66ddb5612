import { describe, expect, test } from "vitest";

import { readJson } from "@/lib/http/api/json-body";

function post(body: BodyInit | null, type = "application/json"): Request {
  return new Request("http://localhost/api/v1/anything", { method: "POST", body, headers: { "content-type": type } });
}

const JSON_TYPE: Record<string, string> = { "content-type": "application/json" };

test.each(["application/json", "application/json; charset=utf-8", "Application/JSON"])(
  "an object sent as %s is read",
  async (type) => {
    expect(await readJson(post('{"name":"é 漢"}', type))).toEqual({ name: "é 漢" });
  },
);

test.each(["text/plain", "application/x-www-form-urlencoded", "application/jsonp", ""])(
  "a body sent as %j is refused",
  async (type) => {
    await expect(readJson(post("{}", type))).rejects.toMatchObject({ code: "unsupported_media_type" });
  },
);

/** Said only where the coding is at fault (RFC 9110 §12.5.3). */
const IDENTITY = { "accept-encoding": "identity" };

test.each([
  [{ "content-encoding": "gzip" }, "`content-encoding`", IDENTITY],
  [{ "content-encoding": "identity, br" }, "`content-encoding`", IDENTITY],
  [{ "content-type": "application/json; charset=iso-8859-1" }, "`charset`", {}],
  [{ "content-type": 'application/json;a=b; Charset="utf-16"' }, "`charset`", {}],
])("a body with %j is refused by the name of what is wrong", async (headers, name, answered) => {
  const request = new Request("http://localhost/", {
    method: "POST",
    body: "{}",
    headers: { ...JSON_TYPE, ...headers },
  });
  await expect(readJson(request)).rejects.toMatchObject({
    code: "unsupported_media_type",
    message: expect.stringContaining(name),
    headers: answered,
  });
});

test.each<Record<string, string>>([
  { "content-encoding": "identity" },
  { "content-type": 'application/json; charset="UTF-8"' },
  { "content-type": "application/json;charset=utf8" },
])("a body with %j is read", async (headers) => {
  const request = new Request("http://localhost/", {
    method: "POST",
    body: "{}",
    headers: { ...JSON_TYPE, ...headers },
  });
  expect(await readJson(request)).toEqual({});
});

test.each([["{"], ["[]"], ["null"], ['"text"'], ["1"], [""], [null], ["{'a':1}"], ['{"a":1} {}']])(
  "%j is no JSON object",
  async (body) => {
    await expect(readJson(post(body))).rejects.toMatchObject({ code: "invalid_body" });
  },
);

test("bytes that are not UTF-8 are refused, not repaired", async () => {
  await expect(readJson(post(new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])))).rejects.toMatchObject({
    code: "invalid_body",
  });
});

test("a body at the limit is read, one byte more is refused", async () => {
  const body = JSON.stringify({ a: "x".repeat(92) });
  expect(body).toHaveLength(100);
  expect(await readJson(post(body), 100)).toHaveProperty("a");
  await expect(readJson(post(body), 99)).rejects.toMatchObject({ code: "payload_too_large" });
});

test("an endless body is cancelled a few megabytes beyond the limit", async () => {
  let sent = 0;
  const endless = new ReadableStream({
    pull(controller) {
      sent += 1024;
      controller.enqueue(new Uint8Array(1024).fill(0x20));
    },
  });
  const request = new Request("http://localhost/", {
    method: "POST",
    body: endless,
    headers: { "content-type": "application/json" },
    // @ts-expect-error Node requires it for streams; the DOM's types do not have it.
    duplex: "half",
  });
  await expect(readJson(request, 10_000)).rejects.toMatchObject({ code: "payload_too_large" });
  expect(sent).toBeLessThan(10_000_000);
});

describe("faults that JSON.parse accepts are refused, with their position", () => {
  test.each([
    ['{"a":1,"b":2,"a":3}', "repeated_name", "/a"],
    ['{"a":1,"\\u0061":3}', "repeated_name", "/a"],
    ['{"list":[{},{"x":[],"x":1}]}', "repeated_name", "/list/1/x"],
    ['{"__proto__":{"admin":true}}', "unknown_field", "/__proto__"],
    ['{"a":{"b":[1,"c",{"\\u005f_proto__":1}]}}', "unknown_field", "/a/b/2/__proto__"],
    ['{"a":[1,12345678901234567890]}', "inexact_number", "/a/1"],
    ['{"a":9007199254740993}', "inexact_number", "/a"],
    ['{"a":0.1234567890123456789}', "inexact_number", "/a"],
    ['{"a":1e400}', "inexact_number", "/a"],
    [`{"a":1${"0".repeat(200_000)}1}`, "inexact_number", "/a"],
    ['{"a":"x\\u0000"}', "invalid_text", "/a"],
    ['{"a":["ok","\\ud800"]}', "invalid_text", "/a/1"],
    ['{"\\udc00":1}', "invalid_text", "/\udc00"],
  ])("%s", async (body, code, pointer) => {
    await expect(readJson(post(body))).rejects.toMatchObject({ code: "invalid_request", errors: [{ code, pointer }] });
  });

  test("objects and lists without end", async () => {
    for (const [open, close] of [
      ["[", "]"],
      ['{"a":', "}"],
    ] as const) {
      const nested = (depth: number): string => `{"a":${open.repeat(depth)}1${close.repeat(depth)}}`;
      expect(await readJson(post(nested(63)))).toHaveProperty("a");
      await expect(readJson(post(nested(64)))).rejects.toMatchObject({ errors: [{ code: "too_deep" }] });
      await expect(readJson(post(nested(20_000)))).rejects.toMatchObject({ errors: [{ code: "too_deep" }] });
      await expect(readJson(post(nested(100_000)))).rejects.toMatchObject({ code: "payload_too_large" });
    }
  });
});

test.each([
  '{"a":"{\\"a\\":1,","b":{"a":1},"c":[{"a":1},{"a":1}],"constructor":1}',
  '{"a":"\\\\","b":"\\\\\\"","c":"\\\\u0000","d":"😀 \\ud83d\\ude00"}',
  '{"":{"":[]},"a":[[],{},[1,[2]],-1e9,null]}',
])("%s is read as it stands", async (body) => {
  expect(await readJson(post(body))).toEqual(JSON.parse(body));
});

test("a text of a megabyte is read, whatever it is made of", async () => {
  for (const part of ["x", "\\", '"', "é", "\n"]) {
    const text = part.repeat(200_000);
    expect(await readJson(post(JSON.stringify({ text })))).toEqual({ text });
  }
});

test("a body whose sender has disconnected is not a defect of ours", async () => {
  const reset = Object.assign(new Error("aborted"), { code: "ECONNRESET" });
  const body = new ReadableStream({
    pull: (controller) => {
      controller.error(reset);
    },
  });
  const request = new Request("http://localhost/", {
    method: "POST",
    body,
    duplex: "half",
    headers: JSON_TYPE,
  } as RequestInit);
  await expect(readJson(request)).rejects.toMatchObject({
    code: "invalid_body",
    message: "The connection ended before the body did.",
  });
});
