import { beforeAll, describe, expect, test } from "vitest";

import { RawApi, refusal } from "@/tests/service/support/raw-api";
import type { RawAnswer } from "@/tests/service/support/raw-request";

let api: RawApi;

beforeAll(async () => {
  api = await RawApi.open();
});

function post(body: string | Buffer, type = "application/json"): Promise<RawAnswer> {
  return api.call("/api/v1/migration/analyze", { method: "POST", headers: { "content-type": type }, body });
}

describe("bodies", () => {
  test.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/jsonp",
    "",
    ";",
  ])("a body of the type %j is refused", async (type) =>
    expect(refusal(await post("{}", type))).toBe("415 unsupported_media_type"),
  );

  test("one that is left out of a POST is an empty object", async () => {
    const answer = await api.call("/api/v1/migration/analyze", { method: "POST" });
    expect(refusal(answer)).toBe("400 invalid_request");
    expect(answer.body).toContain("connection_id");
  });

  test.each(["", "{", "[]", "null", "1", '{"a":1}{}', "{'a':1}", '{"a":NaN}', "\uFEFF{", '{"a":"\u0001"}'])(
    "%j is refused as not a JSON object",
    async (body) => {
      expect(refusal(await post(body))).toBe("400 invalid_body");
    },
  );

  test("bytes that are not UTF-8 are refused as not JSON", async () => {
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
  ])("invalid body %# is refused with the place of the fault", async (body) => {
    const answer = await post(body);
    expect(refusal(answer)).toBe("400 invalid_request");
    expect(answer.body).toContain('"pointer":"/');
    expect(answer.body.length).toBeLessThan(50_000);
  });

  test("a body of more than a megabyte, or with too many values, is refused", async () => {
    expect(refusal(await post(`{"a":[${"[],".repeat(50_000)}[]]}`))).toBe("413 payload_too_large");
    expect(refusal(await post(JSON.stringify({ ext_instance_url: "x".repeat(1_100_000) })))).toBe(
      "413 payload_too_large",
    );
  });

  test.each(["/sign-in", "/nothing", "/oauth/consent"])("none may be sent to the page %s", async (path) => {
    const { status, headers, body } = await api.call(path, { method: "POST", body: "x".repeat(1_000) });
    expect([status, headers.get("allow"), headers.get("content-type")]).toEqual([
      405,
      "GET, HEAD",
      "text/html; charset=utf-8",
    ]);
    expect(body).toContain("POST is not allowed.");
  });
});
