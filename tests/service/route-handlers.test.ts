import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync } from "node:zlib";

import { beforeAll, expect, test } from "vitest";

import { LIST, RawApi } from "@/tests/service/support/raw-api";
import type { RawAnswer } from "@/tests/service/support/raw-request";

const JSON_BODY = { "content-type": "application/json" };

let api: RawApi;
let id: string;

beforeAll(async () => {
  api = await RawApi.open();
  const headers = { ...JSON_BODY, "idempotency-key": randomUUID() };
  // Long enough to be compressed: Next compresses short answers as well, because it does not say their length.
  const body = JSON.stringify({ name: "Answered Ltd", description: "A long description. ".repeat(60) });
  const created = await api.call(LIST, { method: "POST", headers, body });
  ({ id } = JSON.parse(created.body) as { id: string });
});

/** An escape leaves a request to Next's router. */
const escaped = (text: string) => `%${text.charCodeAt(0).toString(16)}${text.slice(1)}`;

/** What differs between two answers to the same request, and how Next sends a body whose length it does not say. */
const OWN = new Set(
  "x-request-id date ratelimit-remaining ratelimit-reset ratelimit content-length transfer-encoding".split(" "),
);

/** Escapes of ASCII alone are undone: the bytes of a compressed body may look like others. */
function compared({ status, headers, body }: RawAnswer) {
  // Next names headers of its pages' own requests.
  const vary = (headers.get("vary") ?? "").split(", ").filter((name) => !/^(?:rsc|next-|$)/.test(name));
  const shared = [...headers].filter(([name]) => !OWN.has(name) && name !== "vary");
  return {
    status,
    vary,
    headers: shared.toSorted(([one], [other]) => (one < other ? -1 : 1)),
    body: body
      .replace(/"request_id":"[^"]*"/, "")
      .replaceAll(/%[2-7][0-9a-f]/g, (escape) => decodeURIComponent(escape)),
  };
}

test.each<[string, (mark: (text: string) => string) => string, Parameters<RawApi["call"]>[1]]>([
  ["a record", (mark) => `${LIST}/${mark(id)}`, {}],
  ["a compressed record", (mark) => `${LIST}/${mark(id)}?expand=owner`, { headers: { "accept-encoding": "gzip" } }],
  ["an export", (mark) => `/api/v1/${mark("accounts")}/export`, {}],
  ["a file", (mark) => `/api/v1/files/${mark(id)}/content`, {}],
  ["a record that the client has", (mark) => `${LIST}/${mark(id)}`, { headers: { "if-none-match": "*" } }],
  ["a record in an unknown place", (mark) => `/api/v1/nothing/${mark(id)}`, {}],
  ["no record", (mark) => `${LIST}/${mark(id)}0`, {}],
  ["an unknown parameter", (mark) => `${LIST}/${mark(id)}?nothing=1`, {}],
  ["a missing token", (mark) => `${LIST}/${mark(id)}`, { headers: { authorization: "" } }],
  ["a change", (mark) => `${LIST}/${mark(id)}`, { method: "PATCH", headers: JSON_BODY, body: "{}" }],
  [
    "a change of nothing known",
    (mark) => `${LIST}/${mark(id)}`,
    { method: "PATCH", headers: JSON_BODY, body: '{"x":1}' },
  ],
  ["a change that is no JSON", (mark) => `${LIST}/${mark(id)}`, { method: "PATCH", headers: JSON_BODY, body: "{" }],
  ["a change without a type", (mark) => `${LIST}/${mark(id)}`, { method: "PATCH", body: "{}" }],
  [
    "too large a change",
    (mark) => `${LIST}/${mark(id)}`,
    { method: "PATCH", headers: JSON_BODY, body: " ".repeat(2 ** 21) },
  ],
  [
    "a late change",
    (mark) => `${LIST}/${mark(id)}`,
    { method: "PATCH", headers: { ...JSON_BODY, "if-match": '"0"' }, body: "{}" },
  ],
  ["a method that a record lacks", (mark) => `${LIST}/${mark(id)}`, { method: "POST", headers: JSON_BODY, body: "{}" }],
  ["a deletion of nothing", (mark) => `${LIST}/${mark(id)}x`, { method: "DELETE" }],
  [
    "a body that nobody reads",
    (mark) => `${LIST}/${mark(id)}/restore`,
    { method: "POST", headers: JSON_BODY, body: '{"x":1}' },
  ],
])("%s is answered as by Next's router", async (_, pathOf, call) => {
  const direct = await api.call(pathOf(String), call);
  const routed = await api.call(pathOf(escaped), call);
  expect(compared(direct)).toEqual(compared(routed));
  // Next adds its own names to all but a 304.
  const isByNext = [routed, direct].map(({ headers }) => headers.get("vary")?.includes("next-router") ?? false);
  expect(isByNext).toEqual([routed.status !== 304, false]);
});

test("an answer says its length, unless it is compressed or sent in parts", async () => {
  const plain = await lengthOf(`${LIST}?limit=50`);
  expect(plain.said).toBe(plain.sent);
  expect(Number(plain.sent)).toBeGreaterThan(10_000);
  const short = await lengthOf(`${LIST}/${id}/provenance`, "gzip");
  expect(short).toEqual({ said: short.sent, sent: short.sent, encoding: undefined });
  expect(await lengthOf(`${LIST}?limit=50`, "gzip")).toMatchObject({ said: undefined, encoding: "gzip" });
  expect(await lengthOf("/api/v1/cases/export")).toMatchObject({ said: undefined });
});

async function lengthOf(target: string, encoding = "identity") {
  const { headers, bytes } = await compressed(`${api.baseUrl}${target}`, encoding);
  return { said: headers["content-length"], sent: String(bytes.length), encoding: headers["content-encoding"] };
}

test.each([
  ["gzip", "csv"],
  ["br", "csv"],
  ["gzip", "ndjson"],
])("a long export by %s as %s is the same as without, to its last byte", async (encoding, format) => {
  const target = `/api/v1/cases/export?format=${format}`;
  const plain = await api.call(target);
  const { headers, bytes } = await compressed(`${api.baseUrl}${target}`, encoding);
  expect(headers["content-encoding"]).toBe(encoding);
  const sent = (encoding === "br" ? brotliDecompressSync : gunzipSync)(bytes).toString();
  expect(sent.length).toBeGreaterThan(1_000_000);
  expect(sent === plain.body).toBe(true);
});

async function compressed(url: string, encoding: string) {
  const headers = { authorization: `Bearer ${api.token}`, "accept-encoding": encoding };
  const [response] = (await once(get(url, { headers }), "response")) as [IncomingMessage];
  return { headers: response.headers, bytes: await buffer(response) };
}

test.each(["a b", "[", "evil.example/x", "evil.example:99999", ""])(
  "a Host header of %j changes nothing",
  async (host) => {
    const { status, body } = await api.call(`${LIST}/${id}`, { headers: { host } });
    expect([status, (JSON.parse(body) as { id: string }).id]).toEqual([200, id]);
  },
);
