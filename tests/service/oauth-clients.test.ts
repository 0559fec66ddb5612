import { auth } from "@modelcontextprotocol/client";
import * as oauth from "oauth4webapi";
import * as openid from "openid-client";
import { beforeAll, expect, test } from "vitest";

import { freePort } from "@/scripts/service/free-port";
import { runConformance } from "@/tests/service/support/conformance-cli";
import { readDemo } from "@/tests/service/support/demo";
import { PastedClient } from "@/tests/service/support/mcp-oauth-provider";
import { type SettingsApi, signInToSettings } from "@/tests/service/support/settings-api";
import { consent, type Browser, obtainAccessToken } from "@/scripts/demo/obtain-access-token";

// Programs that others have written, unmodified, against the built service. The person is played by HTTP: signs in and
// presses Allow.

const demo = readDemo();
const REDIRECT_URI = "http://127.0.0.1:53683/callback";
const SCOPES = ["crm:read", "crm:write", "erp:read"];

let settings: SettingsApi;
let browser: Browser;
beforeAll(async () => {
  ({ settings, browser } = await signInToSettings(demo));
});

/** The status of reading accounts, and whether the answer is a page of accounts. */
async function readAccounts(token: string): Promise<[status: number, isPage: boolean]> {
  const response = await fetch(new URL("/api/v1/accounts?limit=1", demo.base_url), {
    headers: { authorization: `Bearer ${token}` },
  });
  return [response.status, Array.isArray(((await response.json()) as { data?: unknown }).data)];
}

test("oauth4webapi obtains a token that reads accounts, with a query in the redirect URI", async () => {
  const redirect_uri = `${REDIRECT_URI}?kept=1`;
  const client = { ...(await settings.register(redirect_uri, SCOPES)), redirect_uri };
  const answer = await obtainAccessToken({
    baseUrl: demo.base_url,
    ...demo.admin,
    client,
    scope: "crm:read",
    resource: `${demo.base_url}/api/v1`,
  });
  expect(answer).toMatchObject({ token_type: "bearer", expires_in: 3600, scope: "crm:read" });
  expect(await readAccounts(answer.access_token)).toEqual([200, true]);
});

test.each([
  ["client_secret_post", openid.ClientSecretPost],
  ["client_secret_basic", openid.ClientSecretBasic],
])(
  "openid-client obtains a token by %s that reads accounts, and its code works only once",
  async (_, authentication) => {
    const client = await settings.register(REDIRECT_URI, SCOPES);
    const config = await openid.discovery(
      new URL(demo.base_url),
      client.client_id,
      {},
      authentication(client.client_secret),
      {
        algorithm: "oauth2",
        execute: [openid.allowInsecureRequests],
      },
    );
    expect(config.serverMetadata().supportsPKCE()).toBe(true);

    const pkceCodeVerifier = openid.randomPKCECodeVerifier();
    const expectedState = openid.randomState();
    const code_challenge = await openid.calculatePKCECodeChallenge(pkceCodeVerifier);
    const parameters = {
      redirect_uri: REDIRECT_URI,
      scope: "crm:read erp:read",
      code_challenge,
      code_challenge_method: "S256",
      state: expectedState,
    };
    const callback = await consent(browser, openid.buildAuthorizationUrl(config, parameters));

    const redeem = () => openid.authorizationCodeGrant(config, callback, { pkceCodeVerifier, expectedState });
    const tokens = await redeem();
    expect(tokens).toMatchObject({ scope: "crm:read erp:read", token_type: "bearer", expires_in: 3600 });
    expect(await readAccounts(tokens.access_token)).toEqual([200, true]);
    await expect(redeem()).rejects.toMatchObject({ error: "invalid_grant", status: 400 });
    expect(await readAccounts(tokens.access_token)).toEqual([401, false]);
  },
);

test("openid-client gets a request's error by redirect, and a wrong secret's as JSON", async () => {
  const client = await settings.register(REDIRECT_URI, ["crm:read"]);
  const discover = (secret: string, method = openid.ClientSecretPost(secret)) =>
    openid.discovery(new URL(demo.base_url), client.client_id, {}, method, {
      algorithm: "oauth2",
      execute: [openid.allowInsecureRequests],
    });
  const config = await discover("crm_secret_wrong");
  const pkceCodeVerifier = openid.randomPKCECodeVerifier();
  const code_challenge = await openid.calculatePKCECodeChallenge(pkceCodeVerifier);
  const parameters = { redirect_uri: REDIRECT_URI, code_challenge, code_challenge_method: "S256" };

  const tooMuch = openid.buildAuthorizationUrl(config, { ...parameters, scope: "crm:write" });
  const refused = new URL((await browser.get(tooMuch.pathname + tooMuch.search)).headers.get("location") ?? "");
  await expect(openid.authorizationCodeGrant(config, refused, { pkceCodeVerifier })).rejects.toMatchObject({
    error: "invalid_scope",
  });

  const callback = await consent(browser, openid.buildAuthorizationUrl(config, parameters));
  await expect(openid.authorizationCodeGrant(config, callback, { pkceCodeVerifier })).rejects.toMatchObject({
    error: "invalid_client",
    status: 401,
  });
  const tokens = await openid.authorizationCodeGrant(await discover(client.client_secret), callback, {
    pkceCodeVerifier,
  });
  expect(await readAccounts(tokens.access_token)).toEqual([200, true]);
});

/** Opens an authorization request in the person's browser, allows it, and follows the redirect to the client. */
async function visit(url: string): Promise<Response> {
  return fetch(await consent(browser, new URL(url)));
}

/** Runs the MCP SDK's own authorization: it finds the metadata from the server's address only. */
async function authorizeMcpHost(path: string): Promise<{ token: string; request: URL }> {
  const host = new PastedClient(await settings.register(REDIRECT_URI, SCOPES), REDIRECT_URI);
  const serverUrl = new URL(path, demo.base_url);
  expect(await auth(host, { serverUrl })).toBe("REDIRECT");
  const request = host.authorizationUrl ?? new URL("about:blank");
  const { searchParams } = await consent(browser, request);
  expect(searchParams.get("state")).toBe(host.state());
  const [authorizationCode, iss] = ["code", "iss"].map((name) => searchParams.get(name) ?? "");
  expect(await auth(host, { serverUrl, ...(authorizationCode && { authorizationCode }), ...(iss && { iss }) })).toBe(
    "AUTHORIZED",
  );
  return { token: host.tokens()?.access_token ?? "", request };
}

test("the MCP client SDK discovers the server from a resource, and its token reads accounts", async () => {
  const { token, request } = await authorizeMcpHost("/api/v1");
  expect(Object.fromEntries(request.searchParams)).toMatchObject({
    resource: `${demo.base_url}/api/v1`,
    scope: SCOPES.join(" "),
    code_challenge_method: "S256",
  });
  expect(await readAccounts(token)).toEqual([200, true]);
});

test("a token that the MCP client SDK obtains for the MCP server is valid only there", async () => {
  const { token, request } = await authorizeMcpHost("/api/mcp");
  expect(request.searchParams.get("resource")).toBe(`${demo.base_url}/api/mcp`);
  expect(token).toMatch(/^crm_token_/);
  expect(await readAccounts(token)).toEqual([401, false]);
});

test("the MCP client SDK refuses an answer that names another issuer", async () => {
  const host = new PastedClient(await settings.register(REDIRECT_URI, SCOPES), REDIRECT_URI);
  const serverUrl = new URL("/api/mcp", demo.base_url);
  await auth(host, { serverUrl });
  const callback = await consent(browser, host.authorizationUrl ?? new URL("about:blank"));
  const authorizationCode = callback.searchParams.get("code") ?? "";
  await expect(auth(host, { serverUrl, authorizationCode, iss: "https://elsewhere.example" })).rejects.toThrow(/iss/i);
});

test("the MCP conformance tests for authorization servers pass", async () => {
  const port = await freePort();
  const client = await settings.register(`http://127.0.0.1:${port}/callback`, SCOPES);
  const credentials = ["--client-id", client.client_id, "--client-secret", client.client_secret];
  const args = [
    "authorization",
    "--url",
    demo.base_url,
    ...credentials,
    "--resource",
    `${demo.base_url}/api/mcp`,
    "-p",
    String(port),
  ];
  const visits: Promise<Response>[] = [];
  const { exitCode, checks, output } = await runConformance(args, (line) => {
    if (line.startsWith(`${demo.base_url}/oauth/authorize?`)) visits.push(visit(line));
  });
  expect((await Promise.all(visits)).map(({ status }) => status)).toEqual([200]);
  expect(Object.fromEntries(checks.map(({ id, status }) => [id, status]))).toEqual({
    "authorization-server-metadata": "SUCCESS",
    // A SHOULD that we do not follow: an admin registers every client, and clients are confidential.
    "authorization-server-metadata-cimd": "WARNING",
    "authorization-code-grant": "SUCCESS",
  });
  expect([exitCode, output]).toEqual([0, expect.any(String)]);
});

test("a library that requires PKCE, iss and exact endpoints accepts the metadata", async () => {
  const issuer = new URL(demo.base_url);
  const http = { [oauth.allowInsecureRequests]: true };
  const server = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { ...http, algorithm: "oauth2" }),
  );
  const resource = new URL("/api/v1", issuer);
  const answer = await oauth.resourceDiscoveryRequest(resource, http);
  const metadata = await oauth.processResourceDiscoveryResponse(resource, answer);
  expect(metadata.authorization_servers).toEqual([server.issuer]);
});
