import { request } from "node:http";

import { expect, test } from "vitest";

import { readDemo } from "@/tests/service/support/demo";
import { ownOrganization } from "@/tests/service/setup/own-organization";
import { type Browser, signInBrowser } from "@/scripts/demo/obtain-access-token";

const { base_url, admin } = readDemo();
const ELSEWHERE = "https://elsewhere.example";

const signIn = (): Promise<Browser> => signInBrowser({ baseUrl: base_url, ...admin });

/** The REST API's status for a request with only this cookie, as a thief would send it. */
async function statusFor(cookie: string): Promise<number> {
  return (await fetch(new URL("/api/v1/accounts?limit=1", base_url), { headers: { cookie } })).status;
}

/** Where a page redirects a browser with this cookie. */
async function ledTo(path: string, cookie = ""): Promise<string | null> {
  const response = await fetch(new URL(path, base_url), { headers: { cookie }, redirect: "manual" });
  await response.text();
  return response.headers.get("location");
}

function postForm(path: string, origin: string | null, fields: Record<string, string>, cookie = ""): Promise<Response> {
  const headers = { cookie, ...(origin !== null && { origin }) };
  return fetch(new URL(path, base_url), {
    method: "POST",
    headers,
    body: new URLSearchParams(fields),
    redirect: "manual",
  });
}

test("signing out ends the session on the server: a copied cookie opens neither API nor pages", async () => {
  const browser = await signIn();
  const copy = browser.cookieHeader();
  expect(await statusFor(copy)).toBe(200);
  expect(await ledTo("/accounts", copy)).toBeNull();

  const answer = await browser.post("/api/auth/sign-out", {});
  expect(answer.headers.get("location")).toBe("/sign-in");
  expect(await statusFor(copy)).toBe(401);
  expect(await ledTo("/accounts", copy)).toMatch(/^\/sign-in/);
});

test.each([
  "/deleted?kind=contacts",
  "/migration/new?ext_instance_url=https%3A%2F%2Facme.my.salesforce.com",
  "/migration/01890000-0000-7000-8000-000000000000/configure?part=fields&object=Account",
  "/settings/webhooks/01890000-0000-7000-8000-000000000000?state=failed",
  "/settings/audit-log?action=sign_in.failed",
  "/accounts/new?name=Acme",
])("signing in leads back to %s, with its query", async (path) => {
  expect(await ledTo(path)).toBe(`/sign-in?next=${encodeURIComponent(path)}`);
});

test("signing out ends only this session: the person's other browser stays signed in", async () => {
  const [one, other] = [await signIn(), await signIn()];
  await one.post("/api/auth/sign-out", {});
  expect(await statusFor(one.cookieHeader())).toBe(401);
  expect(await statusFor(other.cookieHeader())).toBe(200);
});

test.each(["csrf", "session", "providers", "error?error=%E2%82%AC", "signin/oidc", "signout", "callback/credentials"])(
  "next-auth's own address %s is not there: nobody signs in or out beside our forms",
  async (path) => {
    const url = new URL(`/api/auth/${path}`, base_url);
    for (const method of ["GET", "POST"]) {
      const answer = await fetch(url, { method });
      expect(answer.status).toBe(404);
      expect(await answer.json()).toMatchObject({ code: "not_found" });
    }
  },
);

test("once there is an organization, the first-run page neither opens nor accepts its form", async () => {
  expect(await ledTo("/setup")).toBe("/sign-in");
  const stranger = {
    organization: "Usurper",
    name: "Eve",
    email: "eve@elsewhere.example",
    password: "a password that is long enough",
  };
  const answer = await postForm("/api/auth/setup", base_url, stranger);
  expect(answer.headers.get("location")).toBe("/sign-in");
  expect(answer.headers.getSetCookie().filter((cookie) => /session=[^;]/.test(cookie))).toEqual([]);
  await expect(
    signInBrowser({ baseUrl: base_url, email: stranger.email, password: stranger.password }),
  ).rejects.toThrow("/sign-in?error=");
});

test.each([
  ["/api/auth/sign-in", { ...admin, next: "/" }],
  ["/api/auth/sign-out", {}],
  [
    "/api/auth/setup",
    {
      organization: "Usurper",
      name: "Eve",
      email: "eve@elsewhere.example",
      password: "a password that is long enough",
    },
  ],
  ["/oauth/consent/decision", { request: "018f0000-0000-7000-8000-000000000000", token: "x", decision: "allow" }],
])("%s refuses a form that another site sends, and one without an origin", async (path, fields) => {
  const cookie = (await signIn()).cookieHeader();
  for (const origin of [ELSEWHERE, null]) {
    const answer = await postForm(path, origin, fields, cookie);
    expect(answer.status).toBe(403);
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(await answer.text()).toContain("Nothing was changed");
  }
  expect(await statusFor(cookie)).toBe(200);
});

test("a session cookie is not accepted in another site's API call, which starts no migration", async () => {
  const cookie = (await signIn()).cookieHeader();
  const headers = { cookie, origin: ELSEWHERE, "content-type": "application/json" };
  const body = JSON.stringify({ ext_instance_url: "http://127.0.0.1:9", ext_access_token: "00D!x" });
  const write = await fetch(new URL("/api/v1/migration/analyze", base_url), { method: "POST", headers, body });
  expect([write.status, await write.json()]).toEqual([403, expect.objectContaining({ code: "forbidden" })]);
  const read = await fetch(new URL("/api/v1/accounts", base_url), {
    headers: { cookie, "sec-fetch-site": "cross-site" },
  });
  expect(read.status).toBe(403);
});

test("an invented forwarded address does not reset the limit of guesses", async () => {
  // An existing client has a separate count. Unknown clients share one, which would stay exhausted for later tests.
  const { admin } = await ownOrganization(base_url);
  const { client_id } = await admin.settings.register("http://127.0.0.1:53684/callback", ["crm:read"]);
  const client = { client_id, client_secret: "wrong" };
  const body = new URLSearchParams({ grant_type: "authorization_code", code: "any", ...client });
  const statuses: number[] = [];
  // Twenty are allowed per window, and the guesses may fall into two windows.
  for (let guess = 0; guess <= 40; guess += 1) {
    const headers = { "x-forwarded-for": `203.0.113.${guess}`, forwarded: `for=203.0.113.${guess}` };
    statuses.push((await fetch(new URL("/oauth/token", base_url), { method: "POST", headers, body })).status);
  }
  expect(new Set(statuses)).toEqual(new Set([401, 429]));
});

test("an unreadable path is refused, with a problem on the API and with a page elsewhere", async () => {
  const call = await fetch(new URL("/api/v1/accounts/%E0%A4%A", base_url));
  expect([call.status, call.headers.get("content-type")]).toEqual([400, "application/problem+json"]);
  expect(await call.json()).toMatchObject({ code: "invalid_request", detail: expect.stringContaining("%25") });
  const page = await fetch(new URL("/accounts/%FF", base_url));
  expect([page.status, page.headers.get("content-type")]).toEqual([400, "text/html; charset=utf-8"]);
  expect(await page.text()).toContain('<a href="/">');
});

test("TRACE is refused", async () => {
  const status = await new Promise((done, fail) => {
    request(new URL("/api/v1/accounts", base_url), { method: "TRACE" }, (answer) => done(answer.resume().statusCode))
      .once("error", fail)
      .end();
  });
  expect(status).toBe(405);
});
