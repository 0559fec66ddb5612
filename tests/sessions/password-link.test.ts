import { beforeEach, describe, expect, test } from "vitest";

import { sha256 } from "@/lib/security/crypto";
import { makePasswordLink } from "@/lib/sessions/members/password-link";
import { type Arranged, BASE_URL, callApi, obtainToken, PASSWORD } from "@/tests/oauth/support/fixtures";
import { send } from "@/tests/oauth/support/service";
import {
  changeAs,
  colleagueOf,
  contextOf,
  join,
  NEW_PASSWORD,
  opensWith,
  run,
  sendJson,
  signIn,
  toldOf,
  tokenIn,
  useAdmin,
} from "@/tests/sessions/support/people";
import { createContext, createOrganization } from "@/tests/support/factories";
import { countUp, untilWindowLasts } from "@/tests/support/throttle-window";
import { pool } from "@/tests/support/owner";

const PATH = "/api/auth/password-link";
const NO_LINK = { status: 404, body: { code: "not_found" } };

const admin = useAdmin();
let member: Arranged;

beforeEach(async () => {
  member = await colleagueOf(admin);
});

async function makeLink(by = admin, of = member): Promise<string> {
  return tokenIn((await run<{ url: string }>(makePasswordLink, contextOf(by), { user_id: of.userId })).url);
}

async function answerOf(response: Promise<Response>) {
  const answer = await response;
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

const look = (token: string, headers: Record<string, string> = {}) =>
  answerOf(sendJson("POST", PATH, { token }, headers));
const use = (token: string, password = NEW_PASSWORD, headers: Record<string, string> = {}) =>
  answerOf(sendJson("PUT", PATH, { token, password }, headers));

/** The responses to a link, for reading and using it; they equal those to a link that never existed. */
async function toldAbout(token: string): Promise<unknown[]> {
  const answers = [await look(token), await use(token)];
  await signIn(member.email);
  return answers.map(({ status, body }) => ({ status, body: { ...body, request_id: "" } }));
}

const making = (by: Arranged, user_id: string, role?: "admin" | "member") =>
  run(makePasswordLink, contextOf(by, role), { user_id });

test("a link has 256 random bits behind the #, works for a day, and is stored as a digest only", async () => {
  const { url, expires_at } = await run<{ url: string; expires_at: string }>(makePasswordLink, contextOf(admin), {
    user_id: member.userId,
  });
  expect(url).toMatch(/^http:\/\/localhost:3000\/set-password#[\w-]{43}$/);
  const hours = (Date.parse(expires_at) - Date.now()) / 3_600_000;
  expect(Math.abs(hours - 24)).toBeLessThan(0.1);
  const { rows } = await pool().query<{ token_hash: Buffer; kept: string }>(
    "SELECT token_hash, l::text AS kept FROM password_links l WHERE user_id = $1",
    [member.userId],
  );
  expect(rows[0]?.token_hash).toEqual(sha256(tokenIn(url)));
  expect(rows[0]?.kept).not.toContain(tokenIn(url));
  const told = await toldOf(admin.organizationId, "password_link.created");
  expect(told).toEqual([
    {
      action: "password_link.created",
      user_id: admin.userId,
      address: "192.0.2.1",
      details: { member_id: member.userId, member_email: member.email, expires_at },
    },
  ]);
});

test("a link names its person, sets the password, and ends all access of before", async () => {
  const [cookie, appToken, token] = [member.browser.cookieHeader(), await obtainToken(member), await makeLink()];
  const person = { email: member.email, name: "Bo Member", organization: "Acme" };
  expect(await look(token)).toEqual({ status: 200, body: person });
  expect(await opensWith(cookie)).toBe(200);
  const response = await sendJson("PUT", PATH, { token, password: NEW_PASSWORD });
  expect([response.status, await response.json()]).toEqual([200, person]);
  // For the sign-in page: the e-mail address, encrypted. Nobody is signed in by it.
  const cookies = response.headers.getSetCookie().map((each) => each.split("=")[0]);
  expect(cookies).toEqual(["crm-form", "crm-device"]);
  expect(await opensWith(cookie)).toBe(401);
  expect((await callApi(appToken)).status).toBe(401);
  expect((await pool().query("SELECT FROM oauth_grants WHERE user_id = $1", [member.userId])).rowCount).toBe(0);
  await expect(signIn(member.email)).rejects.toThrow("CredentialsSignin");
  await signIn(member.email, NEW_PASSWORD);
  expect(await toldOf(admin.organizationId, "password_link.used")).toEqual([
    {
      action: "password_link.used",
      user_id: member.userId,
      address: "192.0.2.1",
      details: { made_by: admin.email, sessions_ended: 1, tokens_stopped: 1, webhooks_switched_off: 0 },
    },
  ]);
});

describe("does not work, and reveals nothing,", () => {
  let worthless: unknown[];

  beforeEach(async () => {
    worthless = await toldAbout("unknown");
  });

  test("a link that was never made", async () => {
    expect(worthless).toMatchObject([NO_LINK, NO_LINK]);
    expect(await toldAbout("x".repeat(43))).toEqual(worthless);
  });

  test("one that was replaced", async () => {
    const token = await makeLink();
    await makeLink();
    expect(await toldAbout(token)).toEqual(worthless);
  });

  test("one that has expired", async () => {
    const token = await makeLink();
    await pool().query("UPDATE password_links SET expires_at = now()");
    expect(await toldAbout(token)).toEqual(worthless);
  });

  test("one whose person was disabled, also once they are enabled again", async () => {
    const token = await makeLink();
    await changeAs(admin, member.userId, { is_disabled: true });
    expect(await look(token)).toMatchObject(NO_LINK);
    await changeAs(admin, member.userId, { is_disabled: false });
    expect(await toldAbout(token)).toEqual(worthless);
  });

  test("one whose person has become a member of another organization, which the password would open", async () => {
    const token = await makeLink();
    await join(member.userId, await createOrganization("Elsewhere"), "admin");
    expect(await toldAbout(token)).toEqual(worthless);
  });

  test.each([
    ["is no admin any more", { role: "member" }],
    ["has been disabled", { is_disabled: true }],
  ])("one made by somebody who %s", async (_what, change) => {
    const rogue = await colleagueOf(admin, "admin");
    const token = await makeLink(rogue);
    await changeAs(admin, rogue.userId, change);
    expect(await toldAbout(token)).toEqual(worthless);
  });
});

test("a link works once, even for ten requests at the same moment", async () => {
  const token = await makeLink();
  const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => use(token, `${NEW_PASSWORD} ${index}`)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 404)).toHaveLength(9);
  expect(await use(token)).toMatchObject(NO_LINK);
});

test("a password that is too weak leaves the link unchanged, however often, and is not counted", async () => {
  await untilWindowLasts(15 * 60);
  const token = await makeLink();
  for (let attempt = 0; attempt < 31; attempt += 1) expect((await use(token, "password1234")).status).toBe(400);
  for (const password of ["brief", "password1234", "Bo Member Acme"]) {
    expect(await use(token, password)).toMatchObject({ status: 400, body: { errors: [{ pointer: "/password" }] } });
  }
  expect((await use(token)).status).toBe(200);
});

test("a new person, and one who signs in through the OpenID provider, get a password by a link", async () => {
  await pool().query("UPDATE users SET password_hash = NULL WHERE id = $1", [member.userId]);
  expect((await use(await makeLink())).status).toBe(200);
  await signIn(member.email, NEW_PASSWORD);
});

test("another site can neither read nor use a link", async () => {
  const token = await makeLink();
  for (const headers of [
    { origin: "https://evil.example" },
    { origin: "null" },
    { origin: "", "sec-fetch-site": "same-site" },
  ] as Record<string, string>[]) {
    expect((await look(token, headers)).status).toBe(403);
    expect((await use(token, NEW_PASSWORD, headers)).status).toBe(403);
  }
  await signIn(member.email);
});

test("links that do not work are counted per network, those that do are not", async () => {
  await untilWindowLasts(15 * 60);
  const token = await makeLink();
  for (let attempt = 0; attempt < 30; attempt++) expect((await look("x".repeat(43))).status).toBe(404);
  expect((await look(token)).status).toBe(429);
  expect((await use(token)).status).toBe(429);
  const { rows } = await pool().query<{ key: string }>("SELECT key FROM throttles WHERE key LIKE 'password-link:%'");
  // The rows are bounded: otherwise somebody with many networks could make one with each.
  expect(rows.map(({ key }) => Number(key.split(":")[1]) < 2 ** 18)).toEqual([true]);
  const elsewhere = { "x-forwarded-for": "203.0.113.9" };
  for (let attempt = 0; attempt < 40; attempt++) expect((await look(token, elsewhere)).status).toBe(200);
});

describe("no link is made", () => {
  test("by an organization that has made a hundred within the hour, since the audit log keeps each", async () => {
    await countUp("make-password-link", admin.organizationId, 100);
    await expect(making(admin, member.userId)).rejects.toMatchObject({ code: "too_many_requests" });
    expect(await toldOf(admin.organizationId, "password_link.created")).toEqual([]);
  });

  test("by a member", () =>
    expect(making(member, admin.userId, "member")).rejects.toMatchObject({ code: "forbidden" }));

  test("by somebody who was an admin when the request began", () =>
    expect(making(member, admin.userId)).rejects.toMatchObject({ code: "forbidden" }));

  test("for oneself, which would bypass the current password", () =>
    expect(making(admin, admin.userId)).rejects.toMatchObject({ code: "illegal_state" }));

  test("for somebody disabled", async () => {
    await changeAs(admin, member.userId, { is_disabled: true });
    await expect(making(admin, member.userId)).rejects.toMatchObject({ code: "illegal_state" });
  });

  test("for a member of another organization", async () => {
    const { userId } = await createContext();
    await expect(making(admin, userId)).rejects.toMatchObject({ code: "not_found" });
  });

  test("for a person who also belongs to another organization, whose access an admin would take over", async () => {
    await join(member.userId, await createOrganization("Elsewhere"), "admin");
    await expect(making(admin, member.userId)).rejects.toMatchObject({ code: "illegal_state" });
    expect((await pool().query("SELECT FROM password_links WHERE user_id = $1", [member.userId])).rowCount).toBe(0);
    await signIn(member.email, PASSWORD);
  });
});

/** Where the sign-in of the member leads. */
async function leadsTo(password: string, cookie = ""): Promise<string | null> {
  const headers = { origin: BASE_URL, "x-forwarded-for": "192.0.2.1", cookie };
  const body = new URLSearchParams({ email: member.email, password });
  return (await send(`${BASE_URL}/api/auth/sign-in`, { method: "POST", headers, body })).headers.get("location");
}

test("whoever has used up the attempts with a forgotten password gets in with the link's one", async () => {
  await untilWindowLasts(15 * 60);
  for (let attempt = 0; attempt < 11; attempt += 1) await leadsTo("wrong horse battery");
  const used = await sendJson("PUT", PATH, { token: await makeLink(), password: NEW_PASSWORD });
  const device = used.headers.getSetCookie().find((cookie) => cookie.startsWith("crm-device="));
  expect(await leadsTo(NEW_PASSWORD)).toContain("throttled");
  expect(await leadsTo(NEW_PASSWORD, device?.split(";", 1)[0])).toBe("/");
});
