import { beforeAll, describe, expect, test } from "vitest";

import { LIST, RawApi, refusal } from "@/tests/service/support/raw-api";

let api: RawApi;

beforeAll(async () => {
  api = await RawApi.open();
});

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
  ])("%s is refused by name as unknown", async (name) => {
    const answer = await api.call(`${LIST}?${name === "#" ? "%23" : name}=1`);
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
  ])("limit=%s is not a number from 1 to 200", async (limit) =>
    expect(refusal(await api.call(`${LIST}?limit=${limit}`))).toBe("400 invalid_parameter"),
  );

  test.each(["limit=1&limit=1", "limit=1&limit=2", "ext_id=a&ext_id=a"])(
    "a repeated parameter is refused: %s",
    async (query) => {
      const answer = await api.call(`${LIST}?${query}`);
      expect(refusal(answer)).toBe("400 invalid_parameter");
      expect(answer.body).toContain("given 2 times");
    },
  );

  test.each(["%", "limit=%", "ext_id=%ED%A0%80", "%FF=1", "ext_id=%C0%80"])(
    "an escape that is not UTF-8 is refused: %s",
    async (query) => {
      expect(refusal(await api.call(`${LIST}?${query}`))).toBe("400 invalid_request");
    },
  );

  test("thousands of unknown parameters are refused with a short answer", async () => {
    const query = Array.from({ length: 2_000 }, (_, index) => `p${index}`).join("&");
    for (const answer of [
      await api.call(`${LIST}?${query}`),
      await api.call(`/api/v1/migration/run?${query}`, { method: "POST", ...EMPTY }),
    ]) {
      expect(refusal(answer)).toBe("400 unknown_parameter");
      expect(answer.body.length).toBeLessThan(50_000);
    }
  });
});
