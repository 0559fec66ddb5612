import { createHash } from "node:crypto";

import * as oauth from "oauth4webapi";
import { Client } from "pg";
import { expect, test } from "vitest";

import { authorize, discover, redeem } from "@/tests/service/support/authorization";
import { readDemo } from "@/tests/service/support/demo";

const demo = readDemo();
const ACCOUNTS = new URL("/api/v1/accounts?limit=1", demo.base_url);
const { DATABASE_OWNER_URL } = process.env;

function call(token: string): Promise<Response> {
  return fetch(ACCOUNTS, { headers: { authorization: `Bearer ${token}` } });
}

async function obtain(scope = "crm:read"): Promise<string> {
  const granted = await authorize(demo, scope);
  const answer = await oauth.processAuthorizationCodeResponse(
    granted.server,
    granted.client,
    await redeem(demo, granted),
  );
  return answer.access_token;
}

/**
 * What a 401 contains: the error (RFC 6750 §3) and, through the metadata it names, where to get a token (RFC 9728
 * §5.1).
 */
async function refusal(response: Response): Promise<object> {
  const challenge = response.headers.get("www-authenticate") ?? "";
  const [, error] = /^Bearer .*error="(\w+)"/.exec(challenge) ?? [];
  const [, metadata = ""] = /resource_metadata="([^"]+)"/.exec(challenge) ?? [];
  const { resource, authorization_servers } = (await (await fetch(metadata)).json()) as Record<string, unknown>;
  const { code } = (await response.json()) as { code: string };
  return { status: response.status, error, code, resource, authorization_servers };
}

const INVALID_TOKEN = {
  status: 401,
  error: "invalid_token",
  code: "unauthenticated",
  resource: `${demo.base_url}/api/v1`,
  authorization_servers: [demo.base_url],
};

test("an independent library discovers the server, obtains a token with PKCE, and the token reads", async () => {
  const server = await discover(demo);
  expect(server).toMatchObject({
    issuer: demo.base_url,
    code_challenge_methods_supported: ["S256"],
    grant_types_supported: ["authorization_code"],
  });
  const granted = await authorize(demo, "crm:read crm:write");
  const answer = await oauth.processAuthorizationCodeResponse(
    granted.server,
    granted.client,
    await redeem(demo, granted),
  );
  expect(answer).toMatchObject({ token_type: "bearer", expires_in: 3600, scope: "crm:read crm:write" });
  expect(answer.refresh_token).toBeUndefined();
  const response = await call(answer.access_token);
  expect([response.status, await response.json()]).toEqual([
    200,
    expect.objectContaining({ has_more: expect.any(Boolean) as boolean }),
  ]);
});

test("an API call without a token gets no error code, but where to get a token", async () => {
  expect(await refusal(await fetch(ACCOUNTS))).toEqual({ ...INVALID_TOKEN, error: undefined });
});

test.each([
  ["one letter", "x"],
  ["Salesforce's", "00D!not-ours"],
  ["of the right length", "a".repeat(43)],
  ["very long", "a".repeat(5000)],
  ["an unsigned JWT", "eyJhbGciOiJub25lIn0.e30."],
])("a token that is garbage is refused: %s", async (_, token) => {
  expect(await refusal(await call(token))).toEqual(INVALID_TOKEN);
});

test("a token with one changed character is refused", async () => {
  const token = await obtain();
  expect(await refusal(await call((token.startsWith("A") ? "B" : "A") + token.slice(1)))).toEqual(INVALID_TOKEN);
  expect((await call(token)).status).toBe(200);
});

test("a code with another verifier is refused, and stays valid for its owner", async () => {
  const granted = await authorize(demo, "crm:read");
  const stolen = await redeem(demo, { ...granted, verifier: oauth.generateRandomCodeVerifier() });
  expect([stolen.status, await stolen.json()]).toEqual([400, expect.objectContaining({ error: "invalid_grant" })]);
  expect((await redeem(demo, granted)).status).toBe(200);
});

test("when a person denies, the client gets access_denied", async () => {
  await expect(authorize(demo, "crm:read", "deny")).rejects.toMatchObject({ error: "access_denied" });
});

test("a token with only crm:read cannot start a migration", async () => {
  const token = await obtain("crm:read");
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const response = await fetch(new URL("/api/v1/migration/analyze", demo.base_url), {
    method: "POST",
    headers,
    body: JSON.stringify(demo.sandbox_org),
  });
  expect(response.status).toBe(403);
  expect(response.headers.get("www-authenticate")).toMatch(/error="insufficient_scope".*scope="crm:write"/);
});

// A token lives for an hour, too long for a test, so its expiry is changed in the database that `npm test` sets.
test.skipIf(!DATABASE_OWNER_URL)("an expired token is refused", async () => {
  const token = await obtain();
  const database = new Client({ connectionString: DATABASE_OWNER_URL });
  await database.connect();
  const hash = createHash("sha256").update(token).digest();
  const { rowCount } = await database.query("UPDATE oauth_tokens SET expires_at = now() WHERE token_hash = $1", [hash]);
  await database.end();
  expect(rowCount).toBe(1);
  expect(await refusal(await call(token))).toEqual(INVALID_TOKEN);
});
