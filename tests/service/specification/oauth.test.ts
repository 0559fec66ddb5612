import { afterAll, beforeAll, describe, expect, test } from "vitest";

import {
  type Admin,
  allowed,
  authorizationRequest,
  type Client,
  createClient,
  newVerifier,
  redeem,
  REDIRECT_URI,
  revokeClients,
  signInAdmin,
} from "@/tests/service/specification/support/oauth-client";
import { bearer, demo } from "@/tests/service/specification/support/service";
import { consent, Browser } from "@/scripts/demo/obtain-access-token";

let admin: Admin;
let client: Client;
beforeAll(async () => {
  admin = await signInAdmin();
  client = await createClient(admin, ["crm:read", "crm:write", "erp:read"]);
});
afterAll(() => revokeClients(admin));

/** Where an authorization request of a signed-in person redirects. */
async function leadsTo(change: Record<string, string | null>): Promise<URL> {
  const { pathname, search } = authorizationRequest(client, newVerifier().challenge, change);
  const response = await admin.browser.get(pathname + search);
  return new URL(response.headers.get("location") ?? "about:blank", demo.base_url);
}

describe("4. GET /oauth/authorize", () => {
  test("the user logs in if needed, and comes to the consent screen from there", async () => {
    const stranger = new Browser(demo.base_url, fetch);
    const { pathname, search } = authorizationRequest(client, newVerifier().challenge);
    const toSignIn = new URL((await stranger.get(pathname + search)).headers.get("location") ?? "", demo.base_url);
    const next = toSignIn.searchParams.get("next") ?? "";
    expect(next).toBe(pathname + search);
    const signedIn = await stranger.post("/api/auth/sign-in", { ...demo.admin, next });
    expect(signedIn.headers.get("location")).toBe(next);
    expect((await stranger.get(next)).headers.get("location")).toMatch(/^\/oauth\/consent\?/);
  });

  test("the user approves, and the browser is redirected to redirect_uri with code and state", async () => {
    const callback = await consent(
      admin.browser,
      authorizationRequest(client, newVerifier().challenge, { state: "a state & more=1" }),
    );
    expect(callback.origin + callback.pathname).toBe(REDIRECT_URI);
    expect(callback.searchParams.get("state")).toBe("a state & more=1");
    expect(callback.searchParams.get("code")).toMatch(/.{16}/);
  });

  test("no code is given before the user approves", async () => {
    const to = await leadsTo({});
    expect(to.origin).toBe(demo.base_url);
    expect(to.pathname).toBe("/oauth/consent");
  });

  test.each([
    ["crm:read", "Read accounts"],
    ["crm:write", "Read and change accounts"],
    ["erp:read", "product"],
  ])("the consent screen lists what the scope %s lets the client do", async (scope, says) => {
    const { pathname, search } = await leadsTo({ scope });
    const screen = await (await admin.browser.get(pathname + search)).text();
    expect(screen).toContain(client.name);
    expect(screen).toContain(says);
  });

  test("the consent screen lists the scopes", async () => {
    const { pathname, search } = await leadsTo({});
    const screen = await (await admin.browser.get(pathname + search)).text();
    for (const scope of client.scopes) expect(screen).toContain(scope);
  });

  test("an unknown client_id, and a redirect_uri that is not the client's, lead nowhere", async () => {
    const changes: Record<string, string>[] = [
      { client_id: "crm_unknown" },
      { redirect_uri: "https://elsewhere.example/callback" },
    ];
    for (const change of changes) {
      const { pathname, search } = authorizationRequest(client, newVerifier().challenge, change);
      const response = await admin.browser.get(pathname + search);
      expect(response.status).toBe(400);
      expect(response.headers.get("location")).toBeNull();
    }
  });

  test.each(["token", "id_token", "code token"])("response_type is code: %s is refused", async (response_type) => {
    const to = await leadsTo({ response_type });
    expect(to.searchParams.get("error")).toBe("unsupported_response_type");
    expect(to.searchParams.get("state")).toBe("the state");
    expect(to.searchParams.has("code")).toBe(false);
  });

  test("scope is space-separated and made of crm:read, crm:write, erp:read; another is refused", async () => {
    for (const scope of ["crm:admin", "crm:read,crm:write", "openid"]) {
      expect([scope, (await leadsTo({ scope })).searchParams.get("error")]).toEqual([scope, "invalid_scope"]);
    }
  });
});

describe("1. and 5. PKCE (method S256) is mandatory", () => {
  test.each([
    ["no code_challenge", { code_challenge: null, code_challenge_method: null }],
    ["no code_challenge, though a method", { code_challenge: null }],
    ["the method plain", { code_challenge_method: "plain" }],
    ["no method, which would be plain", { code_challenge_method: null }],
  ])("an authorization request with %s is refused", async (_, change) => {
    const to = await leadsTo(change);
    expect(to.origin + to.pathname).toBe(REDIRECT_URI);
    expect(to.searchParams.get("error")).toBe("invalid_request");
    expect(to.searchParams.has("code")).toBe(false);
  });

  test("a code is only exchanged with the code verifier: not without, with another or the challenge", async () => {
    const { challenge } = newVerifier();
    for (const code_verifier of [undefined, newVerifier().verifier, challenge]) {
      const { code_verifier: _, ...fields } = await allowed(admin, client);
      const answer = await redeem({ ...fields, ...(code_verifier && { code_verifier }) });
      expect(answer.status).toBe(400);
      expect(answer.body).not.toHaveProperty("access_token");
    }
  });
});

describe("2. Access token response, 4. POST /oauth/token", () => {
  test("its fields are access_token, token_type Bearer, expires_in 3600 and scope", async () => {
    const { status, headers, body } = await redeem(await allowed(admin, client));
    expect(status).toBe(200);
    expect(headers.get("content-type")).toMatch(/^application\/json/);
    expect(body).toEqual({
      access_token: expect.stringMatching(/.{20}/),
      token_type: "Bearer",
      expires_in: 3600,
      scope: "crm:read crm:write erp:read",
    });
  });

  test("scope is what was granted, space-separated: what was asked for and no more", async () => {
    const { body } = await redeem(await allowed(admin, client, { scope: "erp:read crm:read" }));
    expect(String(body.scope).split(" ").toSorted()).toEqual(["crm:read", "erp:read"]);
  });

  test.each(["client_credentials", "password", "refresh_token", "implicit"])(
    "there is no other grant type: %s is refused",
    async (grant_type) => {
      const fields = await allowed(admin, client);
      const answer = await redeem({
        ...fields,
        grant_type,
        username: demo.admin.email,
        password: demo.admin.password,
        refresh_token: fields.code,
      });
      expect(answer).toMatchObject({ status: 400, body: { error: "unsupported_grant_type" } });
    },
  );

  test("the content type is application/x-www-form-urlencoded: JSON is refused", async () => {
    const fields = await allowed(admin, client);
    const response = await fetch(`${demo.base_url}/oauth/token`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(fields),
    });
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.status).toBeLessThan(500);
    expect(["the same as a form", (await redeem(fields)).status]).toEqual(["the same as a form", 200]);
  });

  test.each(["client_id", "client_secret", "redirect_uri", "code"])("%s must be right", async (field) => {
    const fields = await allowed(admin, client);
    const answer = await redeem({ ...fields, [field]: `${fields[field]}0` });
    expect([400, 401]).toContain(answer.status);
    expect(answer.body).not.toHaveProperty("access_token");
  });

  test("a code is exchanged once", async () => {
    const fields = await allowed(admin, client);
    expect((await redeem(fields)).status).toBe(200);
    expect(await redeem(fields)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
  });
});

describe("5. Every request sends the header Authorization: Bearer <ACCESS_TOKEN>", () => {
  test("the token is good in the header, and nowhere else", async () => {
    const token = String((await redeem(await allowed(admin, client))).body.access_token);
    expect((await bearer(token).get("/accounts?limit=1")).status).toBe(200);
    const list = `${demo.base_url}/api/v1/opportunities`;
    const headers: Record<string, string>[] = [
      {},
      { authorization: token },
      { authorization: `Basic ${btoa(`${token}:`)}` },
      { authorization: `Bearer ${token.slice(0, -1)}` },
      { authorization: `Bearer ${client.client_secret}` },
    ];
    for (const header of headers) {
      const response = await fetch(list, { headers: header });
      expect(response.status).toBe(401);
      expect(response.headers.get("www-authenticate")).toMatch(/^Bearer/);
    }
    expect([400, 401]).toContain((await fetch(`${list}?access_token=${token}`)).status);
  });
});
