import { beforeAll, expect, test } from "vitest";

import { LIST, RawApi } from "@/tests/service/support/raw-api";
import type { RawAnswer } from "@/tests/service/support/raw-request";

let api: RawApi;
let id: string;

beforeAll(async () => {
  api = await RawApi.open();
  const { body } = await api.call(`${LIST}?limit=1`);
  id = (JSON.parse(body) as { data: { id: string }[] }).data[0]?.id ?? "";
});

/** An escape leaves a request to Next's router. */
const escaped = (text: string) => `%${text.charCodeAt(0).toString(16)}${text.slice(1)}`;

/** What differs between two answers to the same request. */
const OWN = new Set(["x-request-id", "date", "ratelimit-remaining", "ratelimit-reset", "ratelimit"]);

function compared({ status, headers, body }: RawAnswer) {
  // Next names headers of its pages' own requests.
  const vary = (headers.get("vary") ?? "").split(", ").filter((name) => !/^(?:rsc|next-|$)/.test(name));
  const shared = [...headers].filter(([name]) => !OWN.has(name) && name !== "vary");
  return {
    status,
    vary,
    headers: shared.toSorted(([one], [other]) => (one < other ? -1 : 1)),
    body: body.replace(/"request_id":"[^"]*"/, "").replaceAll(/%[0-9a-f]{2}/g, (escape) => decodeURIComponent(escape)),
  };
}

const JSON_BODY = { "content-type": "application/json" };

test.each<[string, (id: string) => string, Parameters<RawApi["call"]>[1]]>([
  ["a record", (each) => `${LIST}/${each}`, {}],
  ["a compressed record", (each) => `${LIST}/${each}/provenance`, { headers: { "accept-encoding": "gzip" } }],
  ["a record that the client has", (each) => `${LIST}/${each}`, { headers: { "if-none-match": "*" } }],
  ["a record in an unknown place", (each) => `/api/v1/nothing/${each}`, {}],
  ["no record", (each) => `${LIST}/${each.replaceAll("a", "b")}x`, {}],
  ["an unknown parameter", (each) => `${LIST}/${each}?nothing=1`, {}],
  ["a missing token", (each) => `${LIST}/${each}`, { headers: { authorization: "" } }],
  ["a change", (each) => `${LIST}/${each}`, { method: "PATCH", headers: JSON_BODY, body: "{}" }],
  ["a change of nothing known", (each) => `${LIST}/${each}`, { method: "PATCH", headers: JSON_BODY, body: '{"x":1}' }],
  ["a change that is no JSON", (each) => `${LIST}/${each}`, { method: "PATCH", headers: JSON_BODY, body: "{" }],
  ["a change without a type", (each) => `${LIST}/${each}`, { method: "PATCH", body: "{}" }],
  [
    "too large a change",
    (each) => `${LIST}/${each}`,
    { method: "PATCH", headers: JSON_BODY, body: " ".repeat(2 ** 21) },
  ],
  [
    "a late change",
    (each) => `${LIST}/${each}`,
    { method: "PATCH", headers: { ...JSON_BODY, "if-match": '"0"' }, body: "{}" },
  ],
  ["a method that a record lacks", (each) => `${LIST}/${each}`, { method: "POST", headers: JSON_BODY, body: "{}" }],
  ["a deletion of nothing", (each) => `${LIST}/${each}x`, { method: "DELETE" }],
  [
    "a body that nobody reads",
    (each) => `${LIST}/${each}/restore`,
    { method: "POST", headers: JSON_BODY, body: '{"x":1}' },
  ],
])("%s is answered as by Next's router", async (_, pathOf, call) => {
  const direct = await api.call(pathOf(id), call);
  const routed = await api.call(pathOf(escaped(id)), call);
  expect(compared(direct)).toEqual(compared(routed));
  expect(routed.headers.get("vary")).toContain("next-router");
  expect(direct.headers.get("vary") ?? "").not.toContain("next-router");
});

test.each(["a b", "[", "evil.example/x", "evil.example:99999", ""])(
  "a Host header of %j changes nothing",
  async (host) => {
    const { status, body } = await api.call(`${LIST}/${id}`, { headers: { host } });
    expect([status, (JSON.parse(body) as { id: string }).id]).toEqual([200, id]);
  },
);
