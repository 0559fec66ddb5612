import { beforeAll, describe, expect, test } from "vitest";

import {
  answerConsent,
  type Arranged,
  arrange,
  authorizeQuery,
  BASE_URL,
  exchange,
  obtainCode,
  REDIRECT_URI,
  visit,
} from "@/tests/oauth/support/fixtures";
import { send } from "@/tests/oauth/support/service";
import { pool } from "@/tests/support/owner";
import { countUp, untilWindowLasts } from "@/tests/support/throttle-window";

let arranged: Arranged;
beforeAll(async () => {
  arranged = await arrange(["crm:read"]);
});

describe("the authorization endpoint redirects nowhere, but shows a page,", () => {
  const cases: [why: string, changes: Record<string, string | undefined>, extra?: string][] = [
    ["without a client_id", { client_id: undefined }],
    ["for an empty client_id", { client_id: "" }],
    ["for an unknown client_id", { client_id: `crm_${"0".repeat(24)}` }],
    ["for a client_id that is no client_id", { client_id: "crm_\u0000'--" }],
    ["for a repeated client_id", {}, "&client_id=crm_x"],
    ["without a redirect_uri", { redirect_uri: undefined }],
    ["for a foreign redirect_uri", { redirect_uri: "https://evil.example/callback" }],
    ["for a registered redirect_uri with another query", { redirect_uri: "https://client.example/callback?kept=2" }],
    ["for a registered redirect_uri with something added", { redirect_uri: `${REDIRECT_URI}&x=1` }],
    ["for a registered redirect_uri with another port", { redirect_uri: "https://client.example:444/callback?kept=1" }],
    ["for a registered redirect_uri in other letters", { redirect_uri: "https://CLIENT.example/callback?kept=1" }],
    ["for a repeated redirect_uri", {}, `&redirect_uri=${encodeURIComponent(REDIRECT_URI)}`],
  ];
  test.each(cases)("%s", async (_why, changes, extra = "") => {
    const response = await arranged.browser.get(`/oauth/authorize?${authorizeQuery(arranged, changes)}${extra}`);
    expect(response.status).toBe(400);
    expect(response.headers.get("location")).toBeNull();
    expect(response.headers.get("content-type")).toContain("text/html");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  });
});

test("the page explains it to the person in everyday words, and names the parameter for the developer", async () => {
  const query = authorizeQuery(arranged, { redirect_uri: "https://evil.example/" });
  const page = await (await arranged.browser.get(`/oauth/authorize?${query}`)).text();
  const [toPerson = "", toDeveloper = ""] = page.split("For the developer of the app");
  expect(toPerson).toContain("an address that is not among those of Reporting");
  expect(toPerson).not.toMatch(/client_id|redirect_uri|URI|RFC/);
  expect(toDeveloper).toContain("redirect_uri is not one of the client&#39;s redirect URIs");
  expect(page).not.toMatch(/<script|src=|href="https?:|evil\.example/);
});

test("nobody is sent to a client before signing in, neither with nor without an error", async () => {
  for (const changes of [{ response_type: "token" }, { scope: "unknown" }, { resource: "https://other.example" }]) {
    const { headers } = await send(`${BASE_URL}/oauth/authorize?${authorizeQuery(arranged, changes)}`);
    expect(headers.get("location")).toMatch(/^\/sign-in\?next=%2Foauth%2Fauthorize/);
  }
});

test("a request that would not fit into the address of the sign-in page is no dead end", async () => {
  const [fits, long] = await Promise.all(
    [1000, 4500].map((slashes) => {
      const query = authorizeQuery(arranged, { state: "/".repeat(slashes) });
      return send(`${BASE_URL}/oauth/authorize?${query}`);
    }),
  );
  expect(fits?.headers.get("location")).toMatch(/^\/sign-in\?next=/);
  expect([long?.status, long?.headers.get("location")]).toEqual([400, null]);
  expect(await long?.text()).toContain("Send a shorter state.");
});

describe("the authorization endpoint tells the client", () => {
  const cases: [error: string, why: string, changes: Record<string, string | undefined>, extra?: string][] = [
    ["invalid_request", "that response_type is missing", { response_type: undefined }],
    ["unsupported_response_type", "that there is no implicit grant", { response_type: "token" }],
    ["unsupported_response_type", "that there is no hybrid flow", { response_type: "code token" }],
    ["invalid_request", "that PKCE is required", { code_challenge: undefined, code_challenge_method: undefined }],
    ["invalid_request", "that an absent method means plain, which is refused", { code_challenge_method: undefined }],
    ["invalid_request", "that plain is refused", { code_challenge_method: "plain" }],
    ["invalid_request", "that the challenge is no digest", { code_challenge: "short" }],
    ["invalid_scope", "that a scope is unknown", { scope: "crm:delete" }],
    ["invalid_scope", "that it was created with none of the scopes", { scope: "crm:write erp:read" }],
    ["invalid_scope", "that scopes are separated by one space", { scope: "crm:read  crm:read" }],
    ["invalid_target", "that a resource is not ours", { resource: "https://other.example/api" }],
    ["invalid_target", "that a resource is no URI", { resource: "accounts" }],
    ["invalid_request", "that response_mode is not query", { response_mode: "fragment" }],
    ["invalid_request", "that response_type is repeated", {}, "&response_type=code"],
    ["invalid_request", "that scope is repeated", {}, "&scope=crm:read"],
    ["invalid_request", "that code_challenge is repeated", {}, "&code_challenge=x"],
    ["invalid_request", "that state is repeated", {}, "&state=other"],
    ["invalid_request", "that state is no UTF-8", { state: undefined }, "&state=%FF"],
  ];
  test.each(cases)("%s: %s", async (error, _why, changes, extra = "") => {
    const location = new URL(await visit(arranged, `${authorizeQuery(arranged, changes)}${extra}`));
    expect(location.href.startsWith(`${REDIRECT_URI}&`)).toBe(true);
    expect(location.searchParams.get("error")).toBe(error);
    expect(location.searchParams.get("state")).toBe(extra.startsWith("&state") ? null : "xyz");
    expect(location.searchParams.get("iss")).toBe(BASE_URL);
    expect(location.searchParams.get("code")).toBeNull();
  });

  test("that state is too long, and returns it", async () => {
    const longest = "s".repeat(6000);
    expect(await visit(arranged, authorizeQuery(arranged, { state: longest }))).toMatch(/^\/oauth\/consent/);
    const refused = new URL(await visit(arranged, authorizeQuery(arranged, { state: `${longest}s` })));
    expect(Object.fromEntries(refused.searchParams)).toMatchObject({
      error: "invalid_request",
      error_description: "state may have at most 6000 characters.",
      state: `${longest}s`,
    });
  });

  test("nothing about unknown parameters", async () => {
    expect(await visit(arranged, `${authorizeQuery(arranged)}&unknown=1&unknown=2`)).toMatch(
      /^\/oauth\/consent\?request=/,
    );
  });
});

test.each([
  [["crm:read"], "crm:read"],
  [["erp:read"], "erp:read"],
  [["crm:write"], "crm:read crm:write"],
] as const)("of all the scopes that the metadata lists, a client of %j gets %s", async (scopes, granted) => {
  const host = await arrange(scopes);
  const everything = { scope: "crm:read crm:write erp:read" };
  const consent = await host.browser.get(await visit(host, authorizeQuery(host, everything)));
  expect((await consent.text()).includes("Read and change")).toBe(granted.includes("crm:write"));
  const answer = await exchange(host, await obtainCode(host, everything));
  expect(await answer.json()).toMatchObject({ scope: granted });
});

test("a hundred requests of a person wait for a decision; one that is decided on makes room", async () => {
  await untilWindowLasts(600);
  await pool().query("TRUNCATE throttles");
  const query = authorizeQuery(arranged);
  const first = await visit(arranged, query);
  for (let index = 1; index < 100; index += 1) expect(await visit(arranged, query)).toMatch(/^\/oauth\/consent/);
  await answerConsent(arranged, first, "deny");
  expect(await visit(arranged, query)).toMatch(/^\/oauth\/consent/);
  const refused = await arranged.browser.get(`/oauth/authorize?${query}`);
  expect([refused.status, Number(refused.headers.get("retry-after"))]).toEqual([429, expect.any(Number)]);
  expect(await refused.text()).toMatch(/Apps have asked for your permission too often\. Try again in \d+ \w+\./);
  const { rowCount } = await pool().query("SELECT FROM oauth_authorizations WHERE user_id = $1", [arranged.userId]);
  expect(rowCount).toBeLessThan(110);
  const other = await arrange(["crm:read"]);
  expect(await visit(other, authorizeQuery(other))).toMatch(/^\/oauth\/consent/);
});

test("apps ask a person five hundred times an hour, since the audit log keeps each decision", async () => {
  const person = await arrange(["crm:read"]);
  await countUp("authorizations", person.userId, 499);
  const asked = await visit(person, authorizeQuery(person));
  expect((await answerConsent(person, asked, "deny")).searchParams.get("error")).toBe("access_denied");
  expect((await person.browser.get(`/oauth/authorize?${authorizeQuery(person)}`)).status).toBe(429);
});
