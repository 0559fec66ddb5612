import jsforce from "jsforce";
import { afterAll, beforeAll, expect, test } from "vitest";

import { startSandboxOrg, type RunningOrg } from "@/sandbox-org/start";

const REDIRECT_URI = "https://crm.example/salesforce/callback";

let org: RunningOrg;
beforeAll(async () => {
  org = await startSandboxOrg({ records: 100, rotateRefreshTokens: true, redirectUris: [REDIRECT_URI] });
});
afterAll(() => org.stop());

const oauthClient = (overrides: object = {}): InstanceType<typeof jsforce.OAuth2> =>
  new jsforce.OAuth2({
    loginUrl: org.instanceUrl,
    clientId: org.clientId,
    clientSecret: org.clientSecret,
    redirectUri: REDIRECT_URI,
    useVerifier: true,
    ...overrides,
  });

/** Loads the page and submits its form with one of its buttons. */
async function click(authorizeUrl: string, decision: "allow" | "deny"): Promise<URL> {
  const html = await (await fetch(authorizeUrl)).text();
  const form = new URLSearchParams({ decision });
  for (const [, name = "", value = ""] of html.matchAll(/<input[^>]* name="([^"]*)"[^>]*? value="([^"]*)"/g))
    form.append(name, value.replaceAll("&amp;", "&"));
  for (const [, name = "", value = ""] of html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g))
    form.set(name, value.replaceAll("&amp;", "&"));
  const response = await fetch(`${org.instanceUrl}/services/oauth2/authorize`, {
    method: "POST",
    body: form,
    redirect: "manual",
  });
  expect(response.status).toBe(302);
  return new URL(response.headers.get("location") ?? "");
}

async function tokenAnswer(form: Record<string, string>): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await fetch(`${org.instanceUrl}/services/oauth2/token`, {
    method: "POST",
    body: new URLSearchParams(form),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

test("jsforce signs in with code and verifier, and the connection works", async () => {
  const oauth2 = oauthClient();
  const back = await click(oauth2.getAuthorizationUrl({ scope: "api refresh_token id", state: "s&1" }), "allow");
  expect(back.origin + back.pathname).toBe(REDIRECT_URI);
  expect(back.searchParams.get("state")).toBe("s&1");
  const connection = new jsforce.Connection({ oauth2, version: "62.0" });
  const user = await connection.authorize(back.searchParams.get("code") ?? "");
  expect(user.organizationId).toMatch(/^00D/);
  expect(connection.instanceUrl).toBe(org.instanceUrl);
  expect((await connection.query("SELECT COUNT() FROM Account")).totalSize).toBe(8);
  expect((await connection.identity()).user_id).toBe(user.id);
});

test("a token answer has the same fields as Salesforce's, and no expires_in", async () => {
  const oauth2 = oauthClient();
  const code = (await click(oauth2.getAuthorizationUrl({}), "allow")).searchParams.get("code") ?? "";
  const answer = (await oauth2.requestToken(code)) as unknown as Record<string, string>;
  expect(Object.keys(answer).toSorted()).toEqual([
    "access_token",
    "id",
    "instance_url",
    "issued_at",
    "refresh_token",
    "scope",
    "signature",
    "token_type",
  ]);
  expect(answer["access_token"]).toMatch(/^00D\w{12}!AQ/);
  expect(answer["issued_at"]).toMatch(/^\d{13}$/);
});

test("a code is valid once, for its verifier and its redirect URI", async () => {
  const oauth2 = oauthClient();
  const fresh = async (): Promise<string> =>
    (await click(oauth2.getAuthorizationUrl({}), "allow")).searchParams.get("code") ?? "";
  const form = {
    grant_type: "authorization_code",
    client_id: org.clientId,
    client_secret: org.clientSecret,
    redirect_uri: REDIRECT_URI,
  };
  const verifier = oauth2.codeVerifier ?? "";
  const code = await fresh();
  expect((await tokenAnswer({ ...form, code, code_verifier: verifier })).status).toBe(200);
  expect(await tokenAnswer({ ...form, code, code_verifier: verifier })).toEqual({
    status: 400,
    body: { error: "invalid_grant", error_description: "expired authorization code" },
  });
  expect((await tokenAnswer({ ...form, code: await fresh(), code_verifier: "wrong" })).body).toEqual({
    error: "invalid_grant",
    error_description: "invalid code verifier",
  });
  expect((await tokenAnswer({ ...form, code: await fresh() })).body["error_description"]).toBe("invalid code verifier");
  expect(
    (await tokenAnswer({ ...form, code: await fresh(), code_verifier: verifier, redirect_uri: "https://else.example" }))
      .body["error"],
  ).toBe("redirect_uri_mismatch");
  expect(
    (await tokenAnswer({ ...form, code: await fresh(), code_verifier: verifier, client_secret: "no" })).body["error"],
  ).toBe("invalid_client");
  expect((await tokenAnswer({ ...form, client_id: "no", code: "x" })).body["error"]).toBe("invalid_client_id");
  expect((await tokenAnswer({ ...form, grant_type: "password" })).body["error"]).toBe("unsupported_grant_type");
});

test("Deny redirects with access_denied; an unknown client or redirect URI is never redirected", async () => {
  const denied = await click(oauthClient().getAuthorizationUrl({ state: "x" }), "deny");
  expect(Object.fromEntries(denied.searchParams)).toEqual({
    error: "access_denied",
    error_description: "end-user denied authorization",
    state: "x",
  });
  for (const overrides of [{ clientId: "nobody" }, { redirectUri: "https://evil.example" }]) {
    const response = await fetch(oauthClient(overrides).getAuthorizationUrl({}), { redirect: "manual" });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain("OAuth Error");
  }
});

test("an org that has not installed the app redirects with Salesforce's error", async () => {
  await org.setRules({ appInstalled: false });
  const response = await fetch(oauthClient().getAuthorizationUrl({ state: "x" }), { redirect: "manual" });
  await org.setRules({ appInstalled: true });
  const back = new URL(response.headers.get("location") ?? "");
  expect(Object.fromEntries(back.searchParams)).toEqual({
    error: "invalid_client",
    error_description: "app must be installed into org",
    state: "x",
  });
});

test("an expired session is renewed with the refresh token, which rotates", async () => {
  const oauth2 = oauthClient();
  const connection = new jsforce.Connection({ oauth2, version: "62.0" });
  await connection.authorize((await click(oauth2.getAuthorizationUrl({}), "allow")).searchParams.get("code") ?? "");
  const before = { access: connection.accessToken, refresh: connection.refreshToken ?? "" };
  const rotated: string[] = [];
  connection.on("refresh", (_: string, answer: { refresh_token: string }) => rotated.push(answer.refresh_token));
  await org.expireSessions();
  expect((await connection.query("SELECT COUNT() FROM Account")).totalSize).toBe(8);
  expect(connection.accessToken).not.toBe(before.access);
  expect(rotated).toHaveLength(1);
  expect(
    (
      await tokenAnswer({
        grant_type: "refresh_token",
        client_id: org.clientId,
        client_secret: org.clientSecret,
        refresh_token: before.refresh,
      })
    ).body,
  ).toEqual({
    error: "invalid_grant",
    error_description: "expired access/refresh token",
  });
});

test("userinfo names the user, and a revoked token is refused", async () => {
  const oauth2 = oauthClient();
  const answer = await oauth2.requestToken(
    (await click(oauth2.getAuthorizationUrl({}), "allow")).searchParams.get("code") ?? "",
  );
  const userinfo = (): Promise<Response> =>
    fetch(`${org.instanceUrl}/services/oauth2/userinfo`, {
      headers: { Authorization: `Bearer ${answer.access_token}` },
    });
  expect(await (await userinfo()).json()).toMatchObject({
    preferred_username: "admin@pumps.example.sandbox",
    email: "admin@pumps.example",
  });
  await oauth2.revokeToken(answer.access_token);
  expect((await userinfo()).status).toBe(401);
});

test("the token of a demo stays valid when it is revoked, but other tokens end", async () => {
  const demo = await startSandboxOrg({ records: 100, keepAccessToken: true });
  try {
    const call = (path: string, token: string): Promise<Response> =>
      fetch(demo.instanceUrl + path, { headers: { Authorization: `Bearer ${token}` } });
    const revoke = (token: string): Promise<Response> =>
      fetch(`${demo.instanceUrl}/services/oauth2/revoke`, { method: "POST", body: new URLSearchParams({ token }) });
    const isValid = async (token: string) => (await call("/services/oauth2/userinfo", token)).ok;
    await fetch(`${demo.instanceUrl}/__control/accept-token`, { method: "POST", body: '{"token":"other"}' });
    for (const token of [demo.accessToken, "other"]) expect((await revoke(token)).status).toBe(200);
    expect([await isValid(demo.accessToken), await isValid("other")]).toEqual([true, false]);
    await demo.expireSessions();
    expect(await isValid(demo.accessToken)).toBe(false);
  } finally {
    await demo.stop();
  }
});
