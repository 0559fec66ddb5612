import { describe, expect, test } from "vitest";

import { readJson } from "@/lib/http/api/json-body";

function post(body: string): Request {
  return new Request("https://crm.example.com/", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
}

const names = (count: number) =>
  JSON.stringify({ custom_fields: Object.fromEntries(Array.from({ length: count }, (_, n) => [`a${n}`, 1])) });

const CHAINS = Array.from({ length: 1_650 }, () => `${"[".repeat(60)}${"]".repeat(60)}`).join(",");

describe("a body is counted before it is parsed", () => {
  test.each([
    ["90,000 custom-field names; they held the event loop for 1.5 s before", names(90_000)],
    ["a list of 2,001 events", JSON.stringify({ events: Array.from({ length: 2_001 }, () => "*") })],
    ["300,000 empty lists", `{"a":[${"[],".repeat(300_000)}[]]}`],
    ["60,000 values in 40 lists", `{"a":[${Array.from({ length: 40 }, () => `[${"1,".repeat(1_500)}1]`).join(",")}]}`],
    [
      "half a million lists within one another, none deeper than 62; they were 8,500 values and held the event " +
        "loop for seconds before",
      JSON.stringify(Object.fromEntries(Array.from({ length: 5 }, (_, n) => [n, "chains"]))).replaceAll(
        '"chains"',
        `[${CHAINS}]`,
      ),
    ],
    ["nothing but commas", ",".repeat(1_000_000)],
  ])("%s", async (_, body) => {
    await expect(readJson(post(body))).rejects.toMatchObject({
      code: "payload_too_large",
      message: expect.stringMatching(/Send less at once\.$/),
    });
  });

  test("texts count as one value, whatever they contain", async () => {
    const description = `${",[{}]".repeat(20_000)}"\\`;
    await expect(readJson(post(JSON.stringify({ description })))).resolves.toEqual({ description });
    const items = Array.from({ length: 200 }, () => ({
      data: Object.fromEntries(Array.from({ length: 120 }, (_, n) => [`f${n}`, 1])),
    }));
    await expect(readJson(post(JSON.stringify({ items })))).resolves.toEqual({ items });
  });
});
