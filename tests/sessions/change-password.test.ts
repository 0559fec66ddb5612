import { beforeEach, expect, test } from "vitest";

import { SHOWN_PERSON } from "@/lib/context";
import { makePasswordLink } from "@/lib/sessions/members/password-link";
import { type Arranged, arrange, BASE_URL, callApi, obtainToken, PASSWORD } from "@/tests/oauth/support/fixtures";
import { send } from "@/tests/oauth/support/service";
import {
  colleagueOf,
  contextOf,
  NEW_PASSWORD,
  opensWith,
  run,
  sendJson,
  signIn,
  toldOf,
  tokenIn,
} from "@/tests/sessions/support/people";
import { countUp, untilWindowLasts } from "@/tests/support/throttle-window";
import { untilLockWaits } from "@/tests/support/lock-waits";
import { pool } from "@/tests/support/owner";

let arranged: Arranged;
let cookie: string;

beforeEach(async () => {
  await pool().query("TRUNCATE throttles");
  arranged = await arrange();
  cookie = arranged.browser.cookieHeader();
});

interface Answer {
  status: number;
  body: Record<string, unknown>;
  setCookie: string;
}

async function change(
  current_password: string,
  new_password: string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await sendJson(
    "POST",
    "/api/auth/password",
    { current_password, new_password },
    { cookie, ...headers },
  );
  return {
    status: response.status,
    body: (await response.json()) as Record<string, unknown>,
    setCookie: response.headers.get("set-cookie") ?? "",
  };
}

/** Where the fault lies and what it is. */
function faultOf({ status, body }: Answer): unknown {
  const [fault] = (body.errors ?? []) as { pointer: string; code: string }[];
  return [status, fault?.pointer, fault?.code];
}

test("a page that shows somebody else changes nobody's password, and counts as no attempt", async () => {
  const shown = { [SHOWN_PERSON]: `${arranged.organizationId}/${(await arrange()).userId}` };
  const attempts = "SELECT * FROM throttles ORDER BY key, window_end";
  const before = await pool().query(attempts);
  const refused = await change(PASSWORD, NEW_PASSWORD, shown);
  expect(refused).toMatchObject({ status: 403, body: { detail: expect.stringContaining("Reload the page") } });
  expect((await pool().query(attempts)).rows).toEqual(before.rows);
  expect((await change(PASSWORD, NEW_PASSWORD)).status).toBe(200);
});

test("a change ends all other sessions and copies of this one; this browser gets a new cookie", async () => {
  const other = await signIn(arranged.email);
  const { status, body, setCookie } = await change(PASSWORD, NEW_PASSWORD);
  expect([status, body]).toEqual([200, { sessions_ended: 1 }]);
  expect(await opensWith(other.cookieHeader())).toBe(401);
  expect(await opensWith(cookie)).toBe(401);
  expect(setCookie).toMatch(/^crm-session=[^;]+; Path=\/; Max-Age=604800; HttpOnly; SameSite=Lax$/);
  expect(await opensWith(setCookie.split(";")[0] ?? "")).toBe(200);
  await expect(signIn(arranged.email)).rejects.toThrow("CredentialsSignin");
  expect(await opensWith((await signIn(arranged.email, NEW_PASSWORD)).cookieHeader())).toBe(200);
  expect(await toldOf(arranged.organizationId, "password.changed")).toEqual([
    { action: "password.changed", user_id: arranged.userId, address: "192.0.2.1", details: { sessions_ended: 1 } },
  ]);
});

test("the access of apps stays", async () => {
  const token = await obtainToken(arranged);
  expect((await change(PASSWORD, NEW_PASSWORD)).status).toBe(200);
  expect((await callApi(token)).status).toBe(200);
});

test.each([
  ["a wrong current password", "wrong horse battery", NEW_PASSWORD, "/current_password", "wrong_password"],
  ["a new one that is too short", PASSWORD, "brief", "/new_password", "invalid_value"],
  ["a new one that is easy to guess", PASSWORD, "password1234", "/new_password", "weak_password"],
  ["a new one made of the person's name", PASSWORD, "Ada Admin Acme", "/new_password", "weak_password"],
  ["the current one once more", PASSWORD, PASSWORD, "/new_password", "invalid_value"],
])("%s is refused, and nothing is changed", async (_what, current, next, pointer, code) => {
  expect(faultOf(await change(current, next))).toEqual([400, pointer, code]);
  expect(await opensWith(cookie)).toBe(200);
  expect(await opensWith((await signIn(arranged.email)).cookieHeader())).toBe(200);
});

test("an empty form gets a fault for both fields", async () => {
  const { body } = await change("", "");
  expect((body as { errors: { pointer: string }[] }).errors.map(({ pointer }) => pointer)).toEqual([
    "/current_password",
    "/new_password",
  ]);
});

test("a person changes their password twenty times an hour, since the audit log keeps each change", async () => {
  await countUp("changed-passwords", arranged.userId, 20);
  expect((await change(PASSWORD, NEW_PASSWORD)).status).toBe(429);
  expect(await opensWith((await signIn(arranged.email)).cookieHeader())).toBe(200);
});

test("a stolen session allows ten guesses at the password in 15 minutes, and each is recorded", async () => {
  await untilWindowLasts(15 * 60);
  const answers: Answer[] = [];
  for (let guess = 0; guess < 11; guess++) answers.push(await change(`wrong horse ${guess}`, NEW_PASSWORD));
  expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: 10 }, () => 400), 429]);
  expect((await change(PASSWORD, NEW_PASSWORD)).status).toBe(429);
  expect(await toldOf(arranged.organizationId, "password.refused")).toHaveLength(10);
});

test("without a session, from another site or with another method nothing is changed", async () => {
  const given = { current_password: PASSWORD, new_password: NEW_PASSWORD };
  const signedOut = await sendJson("POST", "/api/auth/password", given, { cookie: "" });
  expect([signedOut.status, signedOut.headers.get("www-authenticate")]).toEqual([401, 'Cookie realm="sign-in"']);
  for (const headers of [
    { origin: "https://evil.example" },
    { origin: "null" },
    { origin: "", "sec-fetch-site": "cross-site" },
  ] as Record<string, string>[]) {
    expect((await change(PASSWORD, NEW_PASSWORD, headers)).status).toBe(403);
  }
  const form = new URLSearchParams({ current_password: PASSWORD, new_password: NEW_PASSWORD });
  expect(
    (await send(`${BASE_URL}/api/auth/password`, { method: "POST", headers: { cookie, origin: BASE_URL }, body: form }))
      .status,
  ).toBe(415);
  await signIn(arranged.email);
});

test("a person without a password learns that there is none to change", async () => {
  await pool().query("UPDATE users SET password_hash = NULL WHERE id = $1", [arranged.userId]);
  expect(await change(PASSWORD, NEW_PASSWORD)).toMatchObject({ status: 409, body: { code: "illegal_state" } });
});

test("of two changes at once one is carried out", async () => {
  const second = (await signIn(arranged.email)).cookieHeader();
  const answers = await Promise.all([
    change(PASSWORD, NEW_PASSWORD),
    change(PASSWORD, "violet anchor meadow 17", { cookie: second }),
  ]);
  const [won, lost] = answers.toSorted((a, b) => a.status - b.status);
  expect(won?.status).toBe(200);
  expect([400, 401]).toContain(lost?.status);
});

test("an unused one-time link does not work after the change", async () => {
  const member = await colleagueOf(arranged);
  const { url } = await run<{ url: string }>(makePasswordLink, contextOf(arranged), { user_id: member.userId });
  cookie = member.browser.cookieHeader();
  expect((await change(PASSWORD, NEW_PASSWORD)).status).toBe(200);
  expect((await sendJson("POST", "/api/auth/password-link", { token: new URL(url).hash.slice(1) })).status).toBe(404);
});

test("a sign-in that was checked before the change starts no session after it", async () => {
  // The row is locked, so that both have checked the former password before one of them writes.
  const holder = await pool().connect();
  await holder.query("BEGIN");
  await holder.query("SELECT FROM users WHERE id = $1 FOR UPDATE", [arranged.userId]);
  const changing = change(PASSWORD, NEW_PASSWORD);
  await untilLockWaits(1);
  const signingIn = signIn(arranged.email).then(
    () => "signed in",
    (error: Error) => error.message,
  );
  await untilLockWaits(2);
  await holder.query("COMMIT");
  holder.release();
  expect((await changing).status).toBe(200);
  expect(await signingIn).toContain("CredentialsSignin");
  expect((await pool().query("SELECT FROM sessions WHERE user_id = $1", [arranged.userId])).rowCount).toBe(1);
});

test("a change and a one-time link at once wait for each other, without a deadlock", async () => {
  const member = await colleagueOf(arranged);
  const { url } = await run<{ url: string }>(makePasswordLink, contextOf(arranged), { user_id: member.userId });
  cookie = member.browser.cookieHeader();
  // The session is locked, so that each has taken its first lock before either goes on.
  const holder = await pool().connect();
  await holder.query("BEGIN");
  await holder.query("SELECT FROM sessions WHERE user_id = $1 FOR UPDATE", [member.userId]);
  const changing = change(PASSWORD, NEW_PASSWORD);
  await untilLockWaits(1);
  const usingLink = sendJson("PUT", "/api/auth/password-link", {
    token: tokenIn(url),
    password: "violet anchor meadow 17",
  });
  await untilLockWaits(2);
  await holder.query("COMMIT");
  holder.release();
  expect([(await changing).status, (await usingLink).status]).toEqual([200, 404]);
});
