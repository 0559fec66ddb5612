import { beforeEach, describe, expect, test } from "vitest";

import { POST as createClient } from "@/app/api/v1/settings/clients/route";
import { purgeIdempotencyKeys } from "@/lib/database/purge-idempotency-keys";
import { newId } from "@/lib/ids";
import { sealSessionId, SESSION_COOKIE } from "@/lib/sessions/browser-sessions/cookies";
import { createAccessToken, createContext, createSession } from "@/tests/support/factories";
import { pool, transaction } from "@/tests/support/owner";

import { callerWith } from "@/tests/http/support/call-api";
import { isReplayed, type Keyed, keyedRequests } from "@/tests/http/support/idempotency-requests";

let context: Keyed["context"];
let call: Keyed["call"];
let createWith: Keyed["createWith"];
let rowsOf: Keyed["rowsOf"];
let setKeys: Keyed["setKeys"];

beforeEach(async () => {
  ({ context, call, createWith, rowsOf, setKeys } = await keyedRequests());
});

describe("a repeated POST", () => {
  test("gets the first response, and does nothing", async () => {
    const first = await createWith("key-1");
    const second = await createWith("key-1");
    expect([first.status, second.status, isReplayed(first), isReplayed(second)]).toEqual([201, 201, false, true]);
    expect(second.text).toBe(first.text);
    for (const name of ["etag", "location", "content-type", "cache-control"])
      expect(second.headers.get(name)).toBe(first.headers.get(name));
    expect(second.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    expect(second.headers.get("x-request-id")).not.toBe(first.headers.get("x-request-id"));
    expect([await rowsOf("accounts"), await rowsOf("events")].map(({ length }) => length)).toEqual([1, 1]);
  });

  test("is recognized by its key with or without quotes, and by its body in any layout", async () => {
    const { text } = await createWith('"key \\"2\\""');
    expect((await createWith('"key \\"2\\""')).text).toBe(text);
    const bare = await createWith("key-3");
    const quoted = await call("POST", "/accounts", {
      body: '{ "name" :\n"Alpine Tools" }',
      headers: { "idempotency-key": '"key-3"' },
    });
    expect([isReplayed(quoted), quoted.text]).toEqual([true, bare.text]);
  });

  test("is recognized whatever the order of names in its body, but not of list items", async () => {
    const first = { name: "Alpine Tools", custom_fields: { b: [1, { d: 1, c: 2 }], a: null } };
    const other = { custom_fields: { a: null, b: [1, { c: 2, d: 1 }] }, name: "Alpine Tools" };
    const changed = { ...first, custom_fields: { b: [{ d: 1, c: 2 }, 1], a: null } };
    const headers = { "idempotency-key": "key-31" };
    const { text } = await call("POST", "/accounts", { body: first, headers });
    const again = await call("POST", "/accounts", { body: other, headers });
    expect([isReplayed(again), again.text]).toEqual([true, text]);
    expect((await call("POST", "/accounts", { body: changed, headers })).body.code).toBe("idempotency_key_reused");
  });

  test("whose response was too large to be kept is not carried out again, and says so", async () => {
    const custom_fields = { numbers: Array.from({ length: 400 }, () => 1e300) };
    const items = Array.from({ length: 10 }, (_, index) => ({
      action: "create",
      data: { name: `Pump ${index}`, custom_fields },
    }));
    const body = { mode: "all_or_nothing", items };
    const create = () => call("POST", "/accounts/batch", { body, headers: { "idempotency-key": "key-large" } });
    expect((await create()).status).toBe(200);
    const again = await create();
    expect(again).toMatchObject({
      status: 422,
      body: { code: "idempotency_key_reused", detail: expect.stringContaining("has been carried out") },
    });
    expect(await rowsOf("accounts")).toHaveLength(10);
    expect((await rowsOf("idempotency_keys"))[0]).toMatchObject({ status: 200, body: null });
  });

  test("gets the first refusal as well", async () => {
    const sku = { name: "Drill", sku: "D-1" };
    const { id } = (await call("POST", "/products", { body: sku })).body;
    const create = () => call("POST", "/products", { body: sku, headers: { "idempotency-key": "key-4" } });
    const refused = await create();
    expect(refused).toMatchObject({ status: 409, body: { code: "conflict" } });
    await call("DELETE", `/products/${id}`);
    const again = await create();
    expect([again.status, again.text, again.headers.get("content-type")]).toEqual([
      409,
      refused.text,
      "application/problem+json",
    ]);
  });

  test("of an action or a batch is answered in the same way", async () => {
    const { id } = (await call("POST", "/accounts", { body: { name: "Alpine Tools" } })).body;
    await call("DELETE", `/accounts/${id}`);
    const headers = { "idempotency-key": "key-5" };
    const restored = await call("POST", `/accounts/${id}/restore`, { headers });
    expect(await call("POST", `/accounts/${id}/restore`, { headers })).toMatchObject({
      status: 200,
      text: restored.text,
    });
    const body = { mode: "all_or_nothing", items: [{ action: "create", data: { name: "One" } }] };
    const written = await call("POST", "/accounts/batch", { body, headers });
    expect(await call("POST", "/accounts/batch", { body, headers })).toMatchObject({ status: 200, text: written.text });
    expect(await rowsOf("accounts")).toHaveLength(2);
  });
});

test("of many at once one is carried out, and the others wait or get its response", async () => {
  const answers = await Promise.all(Array.from({ length: 12 }, () => createWith("key-6")));
  const created = answers.filter(({ status }) => status === 201);
  expect(new Set(created.map(({ text }) => text)).size).toBe(1);
  const refused = answers.filter(({ status }) => status !== 201);
  expect(refused.map(({ status, body }) => [status, body.code])).toEqual(
    refused.map(() => [409, "idempotency_key_in_use"]),
  );
  expect(await rowsOf("accounts")).toHaveLength(1);
});

test("409 while the first is in flight, with the seconds to wait; 422 for another body even then", async () => {
  const { id } = (await call("POST", "/cases", { body: { subject: "It does not work" } })).body;
  const comment = (body: string) =>
    call("POST", "/case_comments", { body: { case_id: id, body }, headers: { "idempotency-key": "key-7" } });
  const { first } = await transaction(async (client) => {
    await client.query("SELECT FROM cases WHERE id = $1 FOR UPDATE", [id]);
    const pending = comment("Once");
    await expect.poll(() => rowsOf("idempotency_keys"), { timeout: 20_000 }).toHaveLength(1);
    const second = await comment("Once");
    expect([second.status, second.body.code, second.headers.get("retry-after")]).toEqual([
      409,
      "idempotency_key_in_use",
      "1",
    ]);
    expect((await comment("Twice")).body.code).toBe("idempotency_key_reused");
    return { first: pending };
  });
  expect((await first).status).toBe(201);
  expect(isReplayed(await comment("Once"))).toBe(true);
});

test("422: the key of another request", async () => {
  await createWith("key-8", "One");
  const reused = await createWith("key-8", "Two");
  expect(reused).toMatchObject({ status: 422, body: { code: "idempotency_key_reused" } });
  expect(await rowsOf("accounts")).toHaveLength(1);
});

test.each(["", " ", "two words", 'half"', '"half', '""', "a,b", "k".repeat(256), '"a\\b"', "schlüssel"])(
  "400: %j is no key",
  async (key) => {
    const refused = await createWith(key);
    expect(refused).toMatchObject({
      status: 400,
      body: { code: "invalid_request", detail: expect.stringContaining("idempotency-key") },
    });
    expect(await rowsOf("accounts")).toEqual([]);
  },
);

test("keys of other clients, people, paths and organizations are other keys", async () => {
  const colleague = callerWith(
    await createAccessToken(await createContext({ organizationId: context.organizationId, scopes: ["crm:write"] })),
  );
  const stranger = callerWith(await createAccessToken(await createContext({ scopes: ["crm:write"] })));
  const otherClient = callerWith(await createAccessToken(context));
  const answers = [];
  for (const caller of [call, colleague, stranger, otherClient])
    answers.push(await createWith("key-9", "Alpine Tools", caller));
  answers.push(
    await call("POST", "/leads", { body: { last_name: "Example" }, headers: { "idempotency-key": "key-9" } }),
  );
  expect(answers.map((answer) => [answer.status, isReplayed(answer)])).toEqual(answers.map(() => [201, false]));
});

test("a request that was refused before it began can be corrected under the same key", async () => {
  const refused = await call("POST", "/accounts", { body: { nmae: "x" }, headers: { "idempotency-key": "key-10" } });
  expect(refused.status).toBe(400);
  expect((await createWith("key-10")).status).toBe(201);
});

test("after 24 hours a key is free, and its response is replaced", async () => {
  await createWith("key-14");
  await setKeys("created_at = now() - interval '23 hours 59 minutes'");
  expect(isReplayed(await createWith("key-14"))).toBe(true);
  await setKeys("created_at = now() - interval '24 hours 1 minute'");
  expect(await createWith("key-14", "Another")).toMatchObject({ status: 201 });
  expect(await rowsOf("idempotency_keys")).toHaveLength(1);
});

const KEPT = "SELECT k::text || encode(body, 'escape') AS kept FROM idempotency_keys k WHERE organization_id = $1";

test("key and request are stored as digests only, and the response encrypted", async () => {
  const asked = {
    body: { name: "Alpine Tools", description: "a-secret-of-theirs" },
    headers: { "idempotency-key": "a-telling-key" },
  };
  const first = await call("POST", "/accounts", asked);
  const { rows } = await pool().query<{ kept: string }>(KEPT, [context.organizationId]);
  expect(rows).toHaveLength(1);
  for (const secret of ["a-telling-key", "a-secret-of-theirs", Buffer.from("a-secret-of-theirs").toString("hex")]) {
    expect(rows[0]?.kept).not.toContain(secret);
  }
  const again = await call("POST", "/accounts", asked);
  expect([isReplayed(again), first.text.includes("a-secret-of-theirs"), again.text]).toEqual([true, true, first.text]);
});

test("responses are deleted after 24 hours even if nobody sends a key any more", async () => {
  await createWith("key-32");
  await setKeys("created_at = now() - interval '23 hours 59 minutes'");
  await purgeIdempotencyKeys();
  expect(await rowsOf("idempotency_keys")).toHaveLength(1);
  await setKeys("created_at = now() - interval '24 hours 1 minute'");
  expect(await purgeIdempotencyKeys()).toBeGreaterThan(0);
  expect(await rowsOf("idempotency_keys")).toEqual([]);
});

test("400 on other methods that change something; methods that only read ignore it", async () => {
  const { id } = (await createWith("key-16")).body;
  const headers = { "idempotency-key": "key-16" };
  const refused = [
    await call("PATCH", `/accounts/${id}`, { body: { name: "Two" }, headers }),
    await call("PUT", "/accounts/by_ext_id/A-1", { body: { name: "Two" }, headers }),
    await call("DELETE", `/accounts/${id}`, { headers }),
  ];
  for (const answer of refused)
    expect(answer).toMatchObject({
      status: 400,
      body: { code: "invalid_request", detail: expect.stringContaining("for POST alone") },
    });
  expect(await call("GET", `/accounts/${id}`, { headers })).toMatchObject({
    status: 200,
    body: { name: "Alpine Tools", version: 1 },
  });
  expect(await rowsOf("accounts")).toHaveLength(1);
});

test("a response that contains a secret is never kept", async () => {
  const session = await createSession(context);
  const create = async () => {
    const request = new Request("http://localhost:3000/api/v1/settings/clients", {
      method: "POST",
      headers: {
        cookie: `${SESSION_COOKIE}=${await sealSessionId(session)}`,
        origin: "http://localhost:3000",
        "content-type": "application/json",
        "idempotency-key": "key-17",
      },
      body: JSON.stringify({
        name: `Client ${newId()}`,
        redirect_uris: ["https://client.example/callback"],
        scopes: ["crm:read"],
      }),
    });
    const response = await createClient(request);
    return { status: response.status, body: (await response.json()) as { client_secret: string } };
  };
  const created = await create();
  expect(created).toMatchObject({ status: 201, body: { client_secret: expect.any(String) } });
  expect(await rowsOf("idempotency_keys")).toEqual([]);
});
