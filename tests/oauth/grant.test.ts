import { expect, test } from "vitest";

import { obtainAccessToken } from "@/scripts/demo/obtain-access-token";

import {
  answerConsent,
  arrange,
  authorizeQuery,
  BASE_URL,
  callApi,
  consentFields,
  exchange,
  obtainCode,
  PASSWORD,
  visit,
} from "@/tests/oauth/support/fixtures";
import { send } from "@/tests/oauth/support/service";

test("an independent client library completes the grant, and the token opens the API for the user", async () => {
  const { organizationId, userId, email, client } = await arrange();
  const token = await obtainAccessToken({
    baseUrl: BASE_URL,
    email,
    password: PASSWORD,
    client,
    scope: "crm:read crm:write",
    fetch: send,
  });

  expect(token).toMatchObject({ token_type: "bearer", expires_in: 3600, scope: "crm:read crm:write" });
  const who = await (await callApi(token.access_token)).json();
  expect(who).toMatchObject({
    organizationId,
    userId,
    role: "admin",
    clientId: client.id,
    scopes: ["crm:read", "crm:write"],
  });
});

test("the client secret is also accepted by HTTP Basic", async () => {
  const arranged = await arrange();
  const { client_id, client_secret } = arranged.client;
  const response = await exchange(arranged, await obtainCode(arranged), {
    fields: { client_id: undefined, client_secret: undefined },
    headers: {
      authorization: `Basic ${btoa(`${encodeURIComponent(client_id)}:${encodeURIComponent(client_secret)}`)}`,
    },
  });
  expect(response.status).toBe(200);
  expect(response.headers.get("cache-control")).toBe("no-store");
});

/** What a state may hold at worst, as a client would send it. */
const AWKWARD_STATE = "a b+c~%é&=\u0000'()*\u{1f511}/?#";

test("the response keeps the redirect URI's query and the state, and names the issuer", async () => {
  const arranged = await arrange();
  const consent = await visit(arranged, authorizeQuery(arranged, { state: AWKWARD_STATE }));
  const location = await answerConsent(arranged, consent, "allow");

  expect(location.href).toMatch(/^https:\/\/client\.example\/callback\?kept=1&code=[\w-]{43}&state=/);
  expect(location.searchParams.get("state")).toBe(AWKWARD_STATE);
  expect(decodeURIComponent(/&state=([^&]*)/.exec(location.href)?.[1] ?? "")).toBe(AWKWARD_STATE);
  expect(location.searchParams.get("iss")).toBe(BASE_URL);
});

test("an error goes back with the same state and issuer", async () => {
  const arranged = await arrange();
  const location = new URL(
    await visit(arranged, authorizeQuery(arranged, { state: AWKWARD_STATE, response_type: "token" })),
  );
  expect(location.href).toMatch(/^https:\/\/client\.example\/callback\?kept=1&error=unsupported_response_type&/);
  expect(location.searchParams.get("state")).toBe(AWKWARD_STATE);
  expect(location.searchParams.get("iss")).toBe(BASE_URL);
});

test("the decision is answered with 303 and is not stored", async () => {
  const arranged = await arrange();
  const page = await (await arranged.browser.get(await visit(arranged, authorizeQuery(arranged)))).text();
  const response = await arranged.browser.post("/oauth/consent/decision", {
    ...consentFields(page),
    decision: "allow",
  });
  expect(response.status).toBe(303);
  expect(response.headers.get("cache-control")).toBe("no-store");
});

test("denying sends access_denied, and the form cannot be answered again", async () => {
  const arranged = await arrange();
  const consent = await visit(arranged, authorizeQuery(arranged));
  const denied = await answerConsent(arranged, consent, "deny");
  expect(denied.searchParams.get("error")).toBe("access_denied");
  expect(denied.searchParams.get("state")).toBe("xyz");
  expect(await (await arranged.browser.get(consent)).text()).toBe("nothing to decide");
});

test("the consent page names the client, its redirect host, the requested access and the person", async () => {
  const arranged = await arrange();
  const page = await (
    await arranged.browser.get(await visit(arranged, authorizeQuery(arranged, { scope: "crm:write" })))
  ).text();
  for (const text of ["Reporting", "client.example", "Read and change accounts", "Acme", arranged.email])
    expect(page).toContain(text);
});

test("the consent page says what a scope lets a client do with migrations", async () => {
  const arranged = await arrange();
  const pageFor = async (scope: string) =>
    (await arranged.browser.get(await visit(arranged, authorizeQuery(arranged, { scope })))).text();
  const [read, write] = [await pageFor("crm:read"), await pageFor("crm:write")];
  expect(read).toContain("Read the reports of migrations");
  expect(read).not.toContain("Connect and disconnect Salesforce orgs");
  for (const text of ["Connect and disconnect Salesforce orgs", "sample values", "start migrations"])
    expect(write).toContain(text);
});

test("without a scope the client gets all its registered scopes", async () => {
  const arranged = await arrange(["crm:write", "erp:read"]);
  const token = await (await exchange(arranged, await obtainCode(arranged, { scope: undefined }))).json();
  expect(token.scope).toBe("crm:write erp:read");
});

test("a client registered for crm:write may ask for crm:read alone", async () => {
  const arranged = await arrange(["crm:write"]);
  expect(await (await exchange(arranged, await obtainCode(arranged, { scope: "crm:read" }))).json()).toMatchObject({
    scope: "crm:read",
  });
});

test("a person who is not signed in signs in, and returns to the same request", async () => {
  const { client } = await arrange();
  const query = `${authorizeQuery({ client }, { state: undefined })}&state=a%20b%7E`;
  const response = await send(`${BASE_URL}/oauth/authorize?${query}`, { redirect: "manual" });
  expect(response.status).toBe(303);
  const signIn = new URL(response.headers.get("location") ?? "", BASE_URL);
  expect(signIn.pathname).toBe("/sign-in");
  expect(signIn.searchParams.get("next")).toBe(`/oauth/authorize?${query}`);
});

test("discovery names the configured issuer, whatever Host a request carries", async () => {
  const response = await send("http://evil.example/.well-known/oauth-authorization-server", {
    headers: { host: "evil.example" },
  });
  expect(response.headers.get("access-control-allow-origin")).toBe("*");
  expect(await response.json()).toMatchObject({
    issuer: BASE_URL,
    authorization_endpoint: `${BASE_URL}/oauth/authorize`,
    token_endpoint: `${BASE_URL}/oauth/token`,
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
  });
});

test.each(["", "/api/v1", "/api/mcp"])(
  "the metadata of the resource %s name it and the authorization server",
  async (path) => {
    const response = await send(`${BASE_URL}/.well-known/oauth-protected-resource${path}`);
    expect(await response.json()).toMatchObject({ resource: `${BASE_URL}${path}`, authorization_servers: [BASE_URL] });
  },
);

test("no other path has metadata", async () => {
  expect((await send(`${BASE_URL}/.well-known/oauth-protected-resource/api/v2`)).status).toBe(404);
});
