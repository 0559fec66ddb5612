import { describe, expect, test } from "vitest";

import { SHOWN_PERSON } from "@/lib/context";
import { pool } from "@/tests/support/owner";

import {
  accessTokenOf,
  type Arranged,
  arrange,
  BASE_URL,
  callApi,
  exchange,
  obtainCode,
  obtainToken,
} from "@/tests/oauth/support/fixtures";
import { send } from "@/tests/oauth/support/service";

const METADATA = 'resource_metadata="http://localhost:3000/.well-known/oauth-protected-resource';

/** The column holds milliseconds: rounded up, the token would be valid for a part of one. */
const EXPIRE = "UPDATE oauth_tokens SET expires_at = date_trunc('milliseconds', now()) WHERE user_id = $1";

describe("an access token stops working with the very next request", () => {
  const ends: [what: string, statement: string, key: (of: Arranged) => string][] = [
    ["its client is revoked", "UPDATE oauth_clients SET revoked_at = now() WHERE id = $1", ({ client }) => client.id],
    ["its user is disabled", "UPDATE memberships SET disabled_at = now() WHERE user_id = $1", ({ userId }) => userId],
    ["its user's membership ends", "DELETE FROM memberships WHERE user_id = $1", ({ userId }) => userId],
    ["it expires", EXPIRE, ({ userId }) => userId],
    ["it is revoked", "UPDATE oauth_tokens SET revoked_at = now() WHERE user_id = $1", ({ userId }) => userId],
  ];
  test.each(ends)("when %s", async (_what, statement, key) => {
    const arranged = await arrange();
    const token = await obtainToken(arranged);
    expect((await callApi(token)).status).toBe(200);
    await pool().query(statement, [key(arranged)]);
    const refused = await callApi(token);
    expect(refused.status).toBe(401);
    expect(refused.headers.get("www-authenticate")).toContain('error="invalid_token"');
  });
});

test("an access token has the present role of its user", async () => {
  const arranged = await arrange();
  const token = await obtainToken(arranged);
  await pool().query("UPDATE memberships SET role = 'member' WHERE user_id = $1", [arranged.userId]);
  expect(await (await callApi(token)).json()).toMatchObject({ role: "member" });
});

test("without a token the challenge says where to get one, and names no error", async () => {
  const refused = await send(`${BASE_URL}/api/v1/accounts`);
  expect(refused.status).toBe(401);
  expect(refused.headers.get("www-authenticate")).toBe(
    `Bearer scope="crm:read crm:write erp:read", ${METADATA}/api/v1"`,
  );
});

test("the challenge names the requested resource", async () => {
  expect((await send(`${BASE_URL}/api/mcp`)).headers.get("www-authenticate")).toContain(`${METADATA}/api/mcp"`);
  expect((await send(`${BASE_URL}/api/other`)).headers.get("www-authenticate")).toContain(`${METADATA}"`);
});

test.each(["unknown", "not a token", "crm_token_\u00ff"])("an access token like %s is invalid", async (token) => {
  const refused = await callApi(token);
  expect(refused.status).toBe(401);
  expect(refused.headers.get("www-authenticate")).toContain('error="invalid_token"');
});

test("credentials of another kind do not count as a token, even together with a session", async () => {
  const { browser } = await arrange();
  const cookie = browser.cookieHeader();
  const refused = await send(`${BASE_URL}/api/v1/accounts`, { headers: { authorization: "Basic eDp5", cookie } });
  expect(refused.status).toBe(401);
  expect(refused.headers.get("www-authenticate")).not.toContain("error=");
});

test("an access token in the URL is refused, even a valid one", async () => {
  const token = await obtainToken(await arrange());
  expect((await send(`${BASE_URL}/api/v1/accounts?access_token=${token}`)).status).toBe(400);
});

describe("an access token granted for", () => {
  const grants: [resource: string, opens: string[], refuses: string[]][] = [
    [`${BASE_URL}/api/mcp`, ["/api/mcp"], ["/api/v1/accounts", "/api/mcpx"]],
    [`${BASE_URL}/api/v1/`, ["/api/v1", "/api/v1/accounts"], ["/api/mcp"]],
    [BASE_URL, ["/api/v1/accounts", "/api/mcp"], []],
  ];
  test.each(grants)("%s opens nothing else", async (resource, opens, refuses) => {
    const token = await obtainToken(await arrange(), { resource });
    for (const path of opens) expect((await callApi(token, path)).status).toBe(200);
    for (const path of refuses) expect((await callApi(token, path)).status).toBe(401);
  });
});

test("the exchange can narrow a grant to one of its resources, not widen it", async () => {
  const arranged = await arrange();
  const narrowed = await exchange(arranged, await obtainCode(arranged), {
    fields: { resource: `${BASE_URL}/api/mcp` },
  });
  const access_token = await accessTokenOf(narrowed);
  expect((await callApi(access_token, "/api/mcp")).status).toBe(200);
  expect((await callApi(access_token, "/api/v1/accounts")).status).toBe(401);

  const code = await obtainCode(arranged, { resource: `${BASE_URL}/api/mcp` });
  const widened = await exchange(arranged, code, { fields: { resource: `${BASE_URL}/api/v1` } });
  expect(await widened.json()).toMatchObject({ error: "invalid_target" });
});

test("the use of a client is recorded", async () => {
  const arranged = await arrange();
  await callApi(await obtainToken(arranged));
  await expect
    .poll(
      async () =>
        (await pool().query("SELECT last_used_at FROM oauth_clients WHERE id = $1", [arranged.client.id])).rows[0]
          .last_used_at,
    )
    .toBeInstanceOf(Date);
});

describe("a session of our own pages opens the API", () => {
  const headersOfBrowsers: [status: number, what: string, method: string, headers: Record<string, string>][] = [
    [200, "a page of ours that reads", "GET", { "sec-fetch-site": "same-origin" }],
    [200, "a person who types the address", "GET", { "sec-fetch-site": "none" }],
    [200, "an old browser that reads", "GET", {}],
    [200, "a page of ours that writes", "POST", { origin: BASE_URL, "sec-fetch-site": "same-origin" }],
    [
      200,
      "a page of ours that writes and hides its origin",
      "POST",
      { origin: "null", "sec-fetch-site": "same-origin" },
    ],
    [403, "another site that reads", "GET", { "sec-fetch-site": "cross-site" }],
    [403, "a neighbouring site that writes", "POST", { "sec-fetch-site": "same-site" }],
    [403, "another site that writes", "POST", { origin: "https://evil.example" }],
    [403, "a page without an origin that writes", "POST", { origin: "null" }],
    [403, "nobody in particular that writes", "POST", {}],
    [403, "another port of the same host that writes", "POST", { origin: "http://localhost:3001" }],
  ];
  test.each(headersOfBrowsers)("%i to %s", async (status, _what, method, headers) => {
    const { browser, userId } = await arrange();
    const response = await send(`${BASE_URL}/api/v1/accounts`, {
      method,
      headers: { ...headers, cookie: browser.cookieHeader() },
    });
    expect(response.status).toBe(status);
    const whom = { userId, clientId: null, scopes: ["crm:read", "crm:write", "erp:read"] };
    expect(await response.json()).toMatchObject(status === 200 ? whom : { code: "forbidden" });
  });

  test("to a page that shows its person, and not to one that was there before that person has signed in", async () => {
    const [ada, bob] = [await arrange(), await arrange()];
    const sentBy = (shown: string) => {
      const headers = { cookie: bob.browser.cookieHeader(), origin: BASE_URL, [SHOWN_PERSON]: shown };
      return send(`${BASE_URL}/api/v1/accounts`, { method: "POST", headers });
    };
    expect((await sentBy(`${bob.organizationId}/${bob.userId}`)).status).toBe(200);
    for (const other of [ada, { ...ada, userId: bob.userId }]) {
      const refused = await sentBy(`${other.organizationId}/${other.userId}`);
      expect(refused.status).toBe(403);
      expect(await refused.json()).toMatchObject({ detail: expect.stringContaining("Reload the page") });
    }
  });
});
