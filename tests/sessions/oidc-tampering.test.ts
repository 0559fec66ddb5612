import { createServer } from "node:http";

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { OIDC_COOKIES, openToken, sessionSecret } from "@/lib/sessions/browser-sessions/cookies";
import { BASE_URL } from "@/tests/oauth/support/fixtures";
import {
  comeBack,
  createKnownUser,
  locationOf,
  newBrowser,
  pressButton,
  reasonsOf,
  send,
  setProvider,
  signInAs,
  signInAtProvider,
  useProvider,
} from "@/tests/sessions/support/oidc-service";
import { slowToken } from "@/tests/sessions/support/slow-token";
import { listen } from "@/tests/support/hosts";
import type { RunningProvider } from "@/tests/support/oidc-provider";
import { pool } from "@/tests/support/owner";

const STALE = "/sign-in?error=oidc_stale";
const CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const FAILED = "/sign-in?error=oidc_failed";
let provider: RunningProvider;
let account: string;

beforeAll(async () => {
  provider = await useProvider();
});
afterAll(() => provider.stop());

beforeEach(async () => {
  ({ account } = await createKnownUser());
});
afterEach(() => setProvider(provider));

/**
 * Goes the whole way with one address changed: that of the provider on the way there, or that of the callback on the
 * way back.
 */
async function signInChanging(change: { there?: (url: URL) => void; back?: (url: URL) => void }) {
  const browser = newBrowser();
  const there = await pressButton(browser);
  change.there?.(there);
  const back = await signInAtProvider(there, account);
  change.back?.(back);
  const { location, reasons } = await reasonsOf(async () => locationOf(await comeBack(browser, back)));
  return { location, reasons, isSignedIn: browser.cookieHeader().includes("crm-session") };
}

const set = (name: string, value: string) => (url: URL) => url.searchParams.set(name, value);
const remove = (name: string) => (url: URL) => url.searchParams.delete(name);

test("the request has state, nonce, PKCE and the smallest scope; scripts cannot read the cookies", async () => {
  const response = await newBrowser().post("/api/auth/oidc", { next: "/contacts" });
  const { searchParams: asked } = new URL(response.headers.get("location") ?? "");
  expect(Object.fromEntries(asked)).toEqual({
    client_id: provider.clientId,
    redirect_uri: `${BASE_URL}/api/auth/callback/oidc`,
    response_type: "code",
    scope: "openid email profile",
    code_challenge_method: "S256",
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    state: expect.stringMatching(/^[\w-]{43}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
  });
  const cookies = response.headers.getSetCookie();
  expect(cookies.map((cookie) => cookie.split("=")[0]).toSorted()).toEqual([
    "crm-oidc-next",
    "crm-oidc-nonce",
    "crm-oidc-state",
    "crm-oidc-verifier",
  ]);
  for (const cookie of cookies) expect(cookie).toMatch(/; Path=\/;( Expires=[^;]+;)? HttpOnly; SameSite=Lax$/);
  for (const secret of ["state", "nonce", "code_challenge"]) expect(cookies.join()).not.toContain(asked.get(secret));
});

describe("nobody is signed in when on the way", () => {
  test.each([
    ["the state was changed", { back: set("state", "another") }],
    ["the state was taken out", { back: remove("state") }],
    ["the state at the provider was changed", { there: set("state", "another") }],
  ])("%s", async (_what, change) => {
    expect(await signInChanging(change)).toEqual({ location: STALE, isSignedIn: false, reasons: [] });
  });

  test.each([
    ["the nonce was changed", { there: set("nonce", "another") }, "nonce mismatch"],
    ["the nonce was taken out", { there: remove("nonce") }, "nonce mismatch"],
    [
      "the challenge was changed",
      { there: set("code_challenge", CHALLENGE) },
      "invalid_grant (grant request is invalid)",
    ],
    ["the code was changed", { back: set("code", "another") }, "invalid_grant (grant request is invalid)"],
    ["the code was taken out", { back: remove("code") }, "id_token not present in TokenSet"],
    ["the issuer was changed", { back: set("iss", "https://evil.example") }, "iss mismatch"],
    ["the issuer was taken out", { back: remove("iss") }, "iss missing from the response"],
  ])("%s, and the log says why", async (_what, change, reason) => {
    const result = await signInChanging(change);
    expect(result).toEqual({ location: FAILED, isSignedIn: false, reasons: [expect.stringContaining(reason)] });
    expect(result.reasons.join()).not.toMatch(/[\w-]{43}/);
  });

  test("an error was put in", async () => {
    const result = await signInChanging({ back: set("error", "server_error") });
    expect(result).toMatchObject({ location: FAILED, isSignedIn: false });
  });

  test("the redirect URI was changed, which the provider itself refuses", async () => {
    const there = await pressButton(newBrowser());
    there.searchParams.set("redirect_uri", "https://evil.example/");
    expect((await fetch(there, { redirect: "manual" })).status).toBe(400);
  });
});

test("following another person's callback signs nobody in, and that person still can", async () => {
  const attacker = newBrowser();
  const back = await signInAtProvider(await pressButton(attacker), account);
  const victim = newBrowser();
  expect(locationOf(await comeBack(victim, back))).toBe(STALE);
  await pressButton(victim);
  expect(locationOf(await comeBack(victim, back))).toBe(STALE);
  expect(victim.cookieHeader()).not.toContain("crm-session");
  expect(victim.cookieHeader()).toContain("crm-oidc-state");
  expect(locationOf(await comeBack(attacker, back))).toBe("/");
});

test("a callback counts once: neither the browser itself nor a copy of its cookies can use it again", async () => {
  const browser = newBrowser();
  const back = await signInAtProvider(await pressButton(browser), account);
  const copy = { cookie: browser.cookieHeader() };
  expect(locationOf(await comeBack(browser, back))).toBe("/");
  expect(locationOf(await comeBack(browser, back))).toBe(STALE);
  const replayed = await send(back, { headers: copy });
  expect(locationOf(replayed)).toBe(FAILED);
  expect(replayed.headers.getSetCookie().join()).not.toContain("crm-session");
});

test("the cookies of an attempt do not work as a session, nor the other way round", async () => {
  const browser = newBrowser();
  await pressButton(browser);
  const [, state] = /crm-oidc-state=([^;]*)/.exec(browser.cookieHeader()) ?? [];
  expect((await send(`${BASE_URL}/api/v1/accounts`, { headers: { cookie: `crm-session=${state}` } })).status).toBe(401);
  await signInAs(account, browser);
  const [, session] = /crm-session=([^;]*)/.exec(browser.cookieHeader()) ?? [];
  const forged = { cookie: `crm-oidc-state=${session}; crm-oidc-nonce=${session}; crm-oidc-verifier=${session}` };
  expect(locationOf(await send(`${BASE_URL}/api/auth/callback/oidc?code=x&state=x`, { headers: forged }))).toBe(STALE);
});

test("a verifier in another form than ours is not opened, because it could choose a slow algorithm", async () => {
  const { name } = OIDC_COOKIES.pkceCodeVerifier;
  const browser = newBrowser();
  const back = await signInAtProvider(await pressButton(browser), account);
  const [, verifier = ""] = new RegExp(`${name}=([^;]*)`).exec(browser.cookieHeader()) ?? [];
  const slow = slowToken((await openToken(verifier, sessionSecret(), name)) ?? {}, name);
  const forged = { cookie: browser.cookieHeader().replace(verifier, slow) };
  expect(locationOf(await send(back, { headers: forged }))).toBe(FAILED);
});

test("a provider with another issuer than OIDC_ISSUER is refused", async () => {
  const other = provider.issuer.replace("localhost", "127.0.0.1");
  setProvider({ ...provider, issuer: other });
  const reasons = [`the provider calls itself ${provider.issuer}, and OIDC_ISSUER is ${other}`];
  expect(await reasonsOf(() => signInAs(account))).toEqual({ location: FAILED, reasons });
});

test("a wrong client secret is a failure, not a sign-in", async () => {
  setProvider({ ...provider, clientSecret: "wrong" });
  const reasons = ["invalid_client (client authentication failed)"];
  expect(await reasonsOf(() => signInAs(account))).toEqual({ location: FAILED, reasons });
});

test("a provider that is unreachable or answers nonsense is reported, on both ways", async () => {
  const nonsense = createServer((_request, response) => response.end("<html>"));
  const address = await listen(nonsense);
  const browser = newBrowser();
  const back = await signInAtProvider(await pressButton(browser), account);
  setProvider({ ...provider, issuer: address });
  expect(locationOf(await newBrowser().post("/api/auth/oidc", { next: "/contacts" }))).toBe(
    "/sign-in?error=oidc_unreachable&next=%2Fcontacts",
  );
  await new Promise((resolve) => nonsense.close(resolve));
  expect(locationOf(await newBrowser().post("/api/auth/oidc", {}))).toBe("/sign-in?error=oidc_unreachable");
  expect(locationOf(await comeBack(browser, back))).toBe(FAILED);
});

test("a provider that never answers runs into a time-out", async () => {
  const silent = createServer(() => undefined);
  try {
    setProvider({ ...provider, issuer: await listen(silent) });
    expect(locationOf(await newBrowser().post("/api/auth/oidc", {}))).toBe("/sign-in?error=oidc_unreachable");
  } finally {
    silent.closeAllConnections();
    silent.close();
  }
});

test.each(["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)"])(
  "signing in never leads away: next=%s",
  async (next) => {
    expect(await signInAs(account, newBrowser(), next)).toBe("/");
  },
);

test("only a form of our own page starts a sign-in", async () => {
  const headers = { origin: "https://evil.example" };
  expect((await send(`${BASE_URL}/api/auth/oidc`, { method: "POST", headers })).status).toBe(403);
});

test("attempts that fail are limited per network, those that succeed are not counted", async () => {
  await pool().query("TRUNCATE throttles");
  await signInAs(account);
  const { rows } = await pool().query("SELECT count FROM throttles WHERE key LIKE 'sign-in-oidc:%'");
  expect(rows).toEqual([{ count: 0 }]);
  const browser = newBrowser();
  const back = await signInAtProvider(await pressButton(browser), account);
  await pool().query("UPDATE throttles SET count = 100 WHERE key LIKE 'sign-in-oidc:%'");
  expect(locationOf(await newBrowser().post("/api/auth/oidc", {}))).toMatch(/^\/sign-in\?error=throttled%3A\d+$/);
  expect(locationOf(await comeBack(browser, back))).toMatch(/^\/sign-in\?error=throttled%3A\d+$/);
});

test("an unexpected callback is not counted, so no page can lock out a whole network", async () => {
  await pool().query("TRUNCATE throttles");
  const made = [
    "/api/auth/callback/oidc",
    "/api/auth/callback/oidc?state=x",
    "/api/auth/callback/oidc?error=access_denied&state=x",
  ];
  for (const path of made) expect(locationOf(await newBrowser().get(path))).toBe(STALE);
  expect((await pool().query("SELECT FROM throttles WHERE key LIKE 'sign-in-oidc:%'")).rowCount).toBe(0);
});
