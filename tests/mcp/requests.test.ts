import { expect, test } from "vitest";

import type { Context } from "@/lib/context";
import { newId } from "@/lib/ids";
import { MCP_URL, serve } from "@/tests/mcp/support/connect";
import { callTool, post, postBody } from "@/tests/mcp/support/post";
import { createAccessToken, createContext } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

const METADATA = 'resource_metadata="http://localhost:3000/.well-known/oauth-protected-resource/api/mcp"';

test("without a token the challenge names the metadata, and no error", async () => {
  const refused = await post(null, "tools/list");
  expect(refused.status).toBe(401);
  expect(refused.headers.get("www-authenticate")).toBe(`Bearer scope="crm:read crm:write erp:read", ${METADATA}`);
});

test("an invalid token is challenged with every scope too, so that a new one can do no less", async () => {
  const refused = await post(null, "tools/list", {}, { authorization: "Bearer crm_token_unknown" });
  expect(refused.status).toBe(401);
  expect(refused.headers.get("www-authenticate")).toMatch(/error="invalid_token".*scope="crm:read crm:write erp:read"/);
});

test("a missing scope is asked for beside those that the token has", async () => {
  const context = await createContext({ scopes: ["erp:read"], clientScopes: ["crm:write", "erp:read"] });
  const refused = await post(context, "tools/call", {
    name: "create_record",
    arguments: { object: "accounts", fields: { name: "x" } },
  });
  expect(refused.status).toBe(403);
  const challenge = refused.headers.get("www-authenticate") ?? "";
  expect(challenge).toContain('error="insufficient_scope"');
  expect(challenge).toMatch(/scope="(?:erp:read crm:write|crm:write erp:read)"/);
  expect(challenge).toContain(METADATA);
});

test("a scope that the client was created without is not asked for: a result says what helps", async () => {
  const context = await createContext({ scopes: ["crm:read"] });
  const refused = await callTool(context, "create_record", { object: "accounts", fields: { name: "x" } });
  expect(refused).toMatchObject({
    isError: true,
    text:
      "This needs the scope crm:write. (insufficient_scope)\n" +
      "This API client was created without it; an admin can make another.",
  });
});

test.each([
  ["query_records", { object: "contacts" }],
  ["get_records", { object: "contacts", ids: ["x"] }],
  ["search", { query: "ada", objects: ["products", "contacts"] }],
])("%s asks for the scope that the kind of record needs", async (name, args) => {
  const context = await createContext({ scopes: ["erp:read"], clientScopes: ["crm:read", "erp:read"] });
  const refused = await post(context, "tools/call", { name, arguments: args });
  expect(refused.status).toBe(403);
  expect(refused.headers.get("www-authenticate")).toMatch(/scope="(?:erp:read crm:read|crm:read erp:read)"/);
  const allowed = { ...args, object: "products", objects: ["products"] };
  expect((await post(context, "tools/call", { name, arguments: allowed })).status).toBe(200);
});

const LONG = "x".repeat(100_000);

test.each([
  ["argument", "tools/call", { name: "search", arguments: { query: "ada", [LONG]: 1 } }],
  ["value", "tools/call", { name: "query_records", arguments: { object: LONG } }],
  [
    "name of a field",
    "tools/call",
    { name: "create_record", arguments: { object: "accounts", fields: { [LONG]: 1 } } },
  ],
  ["tool", "tools/call", { name: LONG, arguments: {} }],
  ["resource", "resources/read", { uri: `crm://accounts/${LONG}` }],
  ["prompt", "prompts/get", { name: LONG }],
  ["method", LONG, {}],
])("a refusal does not repeat a long %s", async (_, method, params) => {
  const refused = await (await post(await createContext(), method, params)).text();
  expect(refused).toMatch(/error/i);
  expect(refused.length).toBeLessThan(5000);
});

test("a tool whose name is no text is refused as any that there is not", async () => {
  const refused = await post(await createContext(), "tools/call", { name: { toString: null }, arguments: {} });
  expect(refused.status).toBeLessThan(500);
  expect(await refused.json()).toMatchObject({ error: { code: expect.any(Number) } });
});

test("a search by a token for products alone says what it has not searched", async () => {
  const found = await callTool(await createContext({ scopes: ["erp:read"] }), "search", { query: "ada" });
  expect(found.structuredContent?.not_searched).toMatch(/contacts.*needs the scope crm:read/);
  const all = await callTool(await createContext(), "search", { query: "ada" });
  expect(all.structuredContent).not.toHaveProperty("not_searched");
});

test("a time that is none is explained without the rules of URLs", async () => {
  const filters = { "created_at[gte]": "yesterday" };
  const { text } = await callTool(await createContext(), "query_records", { object: "accounts", filters });
  expect(text).toContain("2026-12-31T09:30:00Z");
  expect(text).not.toContain("%2B");
});

test("a resource asks for the scope that the kind of record needs", async () => {
  const context = await createContext({ scopes: ["erp:read"], clientScopes: ["crm:read", "erp:read"] });
  const refused = await post(context, "resources/read", { uri: `crm://contacts/${newId()}` });
  expect(refused.status).toBe(403);
  expect((await post(context, "resources/read", { uri: `crm://products/${newId()}` })).status).toBe(200);
});

function rpc(message: object): string {
  return JSON.stringify({ jsonrpc: "2.0", ...message });
}

interface Answer {
  id: unknown;
  result?: { isError?: boolean; content: { text: string }[]; protocolVersion?: string };
}

async function answerTo(context: Context, body: string, status = 200): Promise<Answer> {
  const response = await postBody(context, body);
  expect(response.status).toBe(status);
  return (await response.json()) as Answer;
}

test.each([
  ["U+0000", { query: "a\0b" }, "query: A text must not contain the character U+0000"],
  ["half of a surrogate pair", { query: "a\uD800" }, "query: A text must not contain"],
  ["a name that means another thing", { query: "a", ["__proto__"]: 1 }, "__proto__: `__proto__` is not known here."],
])("arguments with %s are refused as a result, which says where", async (_, args, said) => {
  const { isError, text } = await callTool(await createContext(), "search", args);
  expect([isError, text]).toEqual([true, expect.stringContaining(said)]);
});

test("a number that would be rounded is refused as a result, and no record is written", async () => {
  const context = await createContext();
  const fields = { name: "Pump", unit_price: 1 };
  const body = rpc({
    id: "a",
    method: "tools/call",
    params: { name: "create_record", arguments: { object: "products", fields } },
  });
  const { id, result } = await answerTo(context, body.replace('"unit_price":1', '"unit_price":12345678901234567890'));
  expect([id, result?.isError]).toEqual(["a", true]);
  expect(result?.content[0]?.text).toContain("fields/unit_price: This number is too large");
  const { rows } = await pool().query("SELECT FROM products WHERE organization_id = $1", [context.organizationId]);
  expect(rows).toEqual([]);
});

const deep = `${"[".repeat(65)}${"]".repeat(65)}`;

test.each([
  ["what is not JSON", '{"jsonrpc":"2.0",', null, -32700, "invalid_body"],
  ["nothing", "", null, -32700, "invalid_body"],
  ["a batch", "[]", null, -32600, "invalid_request"],
  ["a message with a name twice", '{"jsonrpc":"2.0","id":7,"method":"ping","id":7}', 7, -32600, "invalid_request"],
  [
    "arguments that are too deep",
    rpc({ id: 8, method: "tools/call", params: { name: "search", arguments: { query: "deep" } } }).replace(
      '"deep"',
      deep,
    ),
    8,
    -32600,
    "invalid_request",
  ],
])("%s is refused as JSON-RPC, with the id if there is one", async (_, body, id, code, reason) => {
  expect(await answerTo(await createContext(), body, 400)).toMatchObject({
    jsonrpc: "2.0",
    id,
    error: { code, data: { code: reason } },
  });
});

test.each([
  ["2025-11-25", "2025-11-25"],
  ["2025-06-18", "2025-06-18"],
  ["2025-03-26", "2025-11-25"],
  ["2024-11-05", "2025-11-25"],
])("a client of %s is answered with the revision %s", async (protocolVersion, served) => {
  const params = { protocolVersion, capabilities: {}, clientInfo: { name: "test", version: "1" } };
  const answer = await answerTo(await createContext(), rpc({ id: 1, method: "initialize", params }));
  expect(answer.result?.protocolVersion).toBe(served);
});

test.each([
  ["another site's page", { origin: "https://evil.example" }],
  ["a name that was bound to this address", { host: "evil.example" }],
  ["another program of this machine", { origin: "http://localhost:9999" }],
  ["such a name that says it is forwarded", { host: "evil.example", "x-forwarded-host": "localhost:3000" }],
])("%s is refused", async (_, headers) => {
  expect((await post(await createContext(), "tools/list", {}, headers)).status).toBe(403);
});

test("a token stops working with the next call after its client is revoked", async () => {
  const context = await createContext();
  const token = await createAccessToken(context);
  const list = () =>
    serve(
      new Request(MCP_URL, {
        method: "POST",
        headers: {
          authorization: `Bearer ${token}`,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
      }),
    );
  expect((await list()).status).toBe(200);
  await pool().query("UPDATE oauth_clients SET revoked_at = now() WHERE organization_id = $1", [
    context.organizationId,
  ]);
  expect((await list()).status).toBe(401);
});

test("a body of more than a megabyte is refused", async () => {
  const refused = await post(await createContext(), "tools/call", {
    name: "search",
    arguments: { query: "x".repeat(2 ** 20) },
  });
  expect(refused.status).toBe(413);
});

test("a list takes filters alone, and a refusal speaks of tools", async () => {
  const context = await createContext();
  const listing = (filters: object) => callTool(context, "query_records", { object: "accounts", filters });
  expect((await listing({ expand: "owner" })).text).toContain('No filter for accounts is called "expand"');
  expect((await listing({ limit: 3 })).isError).toBe(true);
  expect((await listing({ industry: ["a", "b"] })).text).toContain("Several values are one text, separated by commas");
  expect((await listing({ industry: "a".repeat(256) })).text).not.toContain("Several values");
  expect((await listing({ "created_at[gte]": "2026-01-01" })).isError).toBeUndefined();
  const unowned = { object: "accounts", fields: { name: "Acme", owner_id: newId() } };
  expect((await callTool(context, "create_record", unowned)).text).toContain("`list_users`");
  const wordless = (await callTool(context, "search", { query: "!" })).text;
  expect(wordless).toContain("`query` must have a letter");
  expect(wordless).toMatch(/^query: /m);
});

test("users are found by a part of their name", async () => {
  const context = await createContext();
  const { structuredContent: me } = await callTool(context, "whoami", {});
  const query = String(me?.name).slice(1).toUpperCase();
  expect((await callTool(context, "list_users", { query })).structuredContent).toMatchObject({
    data: [{ id: me?.user_id, name: me?.name, email: me?.email }],
  });
  expect((await callTool(context, "list_users", { query: "nobody's" })).structuredContent?.data).toEqual([]);
});

test("records that are too large for a result are shortened, each to its share", async () => {
  const context = await createContext();
  const { structuredContent: small } = await callTool(context, "create_record", {
    object: "accounts",
    fields: { name: "Small" },
  });
  await pool().query(
    `INSERT INTO accounts (id, organization_id, name, custom_fields, created_at, updated_at)
     SELECT gen_random_uuid(), $1, 'Large ' || n, (SELECT jsonb_object_agg('Field_' || f, repeat('x', 400))
       FROM generate_series(1, 300) AS f), now(), now() FROM generate_series(1, 3) AS n`,
    [context.organizationId],
  );
  const { text, structuredContent } = await callTool(context, "query_records", { object: "accounts" });
  expect(text.length).toBeLessThanOrEqual(100_000);
  const records = structuredContent?.data as { id: string; fields: { name: string }; shortened?: string }[];
  expect(records.map(({ fields }) => fields.name).toSorted()).toEqual(["Large 1", "Large 2", "Large 3", "Small"]);
  expect(records.find(({ id }) => id === small?.id)).toEqual(small);
  expect(records.filter(({ shortened }) => shortened !== undefined)).toHaveLength(3);
  const named = { object: "accounts", ids: records.map(({ id }) => id), fields: ["name"] };
  expect((await callTool(context, "get_records", named)).text).not.toContain("shortened");
});

test("a refusal that the record is deleted names no address of REST, which no tool reaches", async () => {
  const context = await createContext();
  const { structuredContent: made } = await callTool(context, "create_record", {
    object: "cases",
    fields: { subject: "Leak" },
  });
  const comment = { object: "case_comments", fields: { body: "Water", case_id: made?.id } };
  const { structuredContent: part } = await callTool(context, "create_record", comment);
  const read = await callTool(context, "get_records", { object: "cases", ids: [made?.id] });
  const { data } = read.structuredContent as { data: { version: number }[] };
  await callTool(context, "delete_record", { object: "cases", id: made?.id, expected_version: data[0]?.version });
  for (const [object, deleted, how] of [
    ["cases", made, "it until"],
    ["case_comments", part, "it with the record that it belongs to until"],
  ] as const) {
    const { text } = await callTool(context, "get_related", { object, id: deleted?.id });
    const [day = ""] = new Date(Date.now() + 30 * 24 * 3_600_000).toISOString().split("T");
    expect(text).toContain(`was deleted. A person can restore ${how} ${day}`);
    expect(text).toMatch(/Z\. \(not_found\)$/);
  }
});
