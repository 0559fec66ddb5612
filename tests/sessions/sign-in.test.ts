import { randomBytes } from "node:crypto";

import { beforeEach, describe, expect, test } from "vitest";

import { createOrganization } from "@/lib/sessions/people/organizations";
import { BASE_URL } from "@/tests/oauth/support/fixtures";
import { send } from "@/tests/oauth/support/service";
import { Browser, signInBrowser } from "@/scripts/demo/obtain-access-token";
import { pool } from "@/tests/support/owner";
import { createUserWithPassword } from "@/tests/support/user-with-password";

const PASSWORD = "correct horse battery";
let email: string;
let organizationId: string;

beforeEach(async () => {
  await pool().query("TRUNCATE throttles");
  email = `ada-${randomBytes(6).toString("hex")}@example.com`;
  ({ organizationId } = await createOrganization({ name: "Acme", admin: { email, name: "Ada", password: PASSWORD } }));
});

function signIn(fields: Record<string, string> = {}): Promise<Response> {
  return new Browser(BASE_URL, send).post("/api/auth/sign-in", { email, password: PASSWORD, ...fields });
}

function signedInBrowser(): Promise<Browser> {
  return signInBrowser({ baseUrl: BASE_URL, email, password: PASSWORD, fetch: send });
}

/** Which status the API answers with for a cookie. */
async function opensWith(cookie: string): Promise<number> {
  return (await send(`${BASE_URL}/api/v1/accounts`, { headers: { cookie } })).status;
}

test("the right password signs in, whatever the case of the e-mail, and leads to the requested page", async () => {
  const response = await signIn({ email: ` ${email.toUpperCase()}`, next: "/contacts?limit=5" });
  expect(response.status).toBe(303);
  expect(response.headers.get("location")).toBe("/contacts?limit=5");
  expect(response.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^crm-session=[^;]+; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/),
    expect.stringMatching(/^crm-device=[^;]+; Path=\/api\/auth; Max-Age=31536000; HttpOnly; SameSite=Strict$/),
  ]);
});

test("an address that nobody gets any more lets in who has it", async () => {
  const kept = email.replace("example.com", "corp.invalid");
  await pool().query("UPDATE users SET email = $2 WHERE email = $1", [email, kept]);
  expect((await signIn({ email: kept })).headers.get("location")).toBe("/");
});

test("a member signs in as a member", async () => {
  await createUserWithPassword(organizationId, { email: `M-${email} `, name: "Max", password: PASSWORD }, "member");
  const browser = await signInBrowser({ baseUrl: BASE_URL, email: `m-${email}`, password: PASSWORD, fetch: send });
  expect(await (await browser.get("/api/v1/accounts")).json()).toMatchObject({ organizationId, role: "member" });
});

test.each([
  (given: string) => given.toUpperCase(),
  (given: string) => `\u00a0${given}\n`,
  (given: string) => given.replace("d", "D"),
])("an e-mail is taken however it is written (%s)", async (write) => {
  const twin = createUserWithPassword(
    organizationId,
    { email: write(email), name: "Eve", password: PASSWORD },
    "member",
  );
  await expect(twin).rejects.toMatchObject({ code: "conflict" });
});

test.each(["аda@example.com", "ada@exämple.com", "ada\u200b@example.com", "İda@example.com", "\u212Aim@example.com"])(
  "no user has an e-mail that merely looks like another: %j",
  async (lookalike) => {
    const twin = createUserWithPassword(
      organizationId,
      { email: lookalike, name: "Eve", password: PASSWORD },
      "member",
    );
    await expect(twin).rejects.toMatchObject({ errors: [{ pointer: "/email" }] });
  },
);

test.each([
  "https://evil.example/",
  "//evil.example",
  "/\\evil.example",
  "javascript:alert(1)",
  "evil",
  "/\t/evil.example",
])("signing in never leads away: next=%s", async (next) => {
  expect(new URL((await signIn({ next })).headers.get("location") ?? "", BASE_URL).origin).toBe(BASE_URL);
});

describe("the same answer is given for", () => {
  test.each([
    ["a wrong password", { password: "wrong horse battery" }],
    ["an unknown e-mail", { email: "nobody@example.com" }],
    ["no password", { password: "" }],
    ["an e-mail that is none", { email: "\u0000" }],
    ["a password longer than any", { password: "x".repeat(5000) }],
  ])("%s", async (_what, fields) => {
    const response = await signIn(fields);
    expect(response.headers.get("location")).toBe("/sign-in?error=CredentialsSignin");
    expect(response.headers.getSetCookie().join()).not.toContain("crm-session");
  });

  test("a disabled user", async () => {
    await pool().query(
      "UPDATE memberships SET disabled_at = now() WHERE user_id = (SELECT id FROM users WHERE email = $1)",
      [email],
    );
    expect((await signIn()).headers.get("location")).toBe("/sign-in?error=CredentialsSignin");
  });

  test("a user of no organization", async () => {
    await pool().query("DELETE FROM memberships WHERE organization_id = $1", [organizationId]);
    expect((await signIn()).headers.get("location")).toBe("/sign-in?error=CredentialsSignin");
  });
});

test("a form of another site does not sign anybody in", async () => {
  const body = new URLSearchParams({ email, password: PASSWORD });
  const response = await send(`${BASE_URL}/api/auth/sign-in`, {
    method: "POST",
    headers: { origin: "https://evil.example" },
    body,
  });
  expect(response.status).toBe(403);
});

test("a form that is too long is refused with a page", async () => {
  expect((await signIn({ next: `/${"x".repeat(70_000)}` })).status).toBe(413);
});

describe("a session", () => {
  test("ends with signing out, in every copy of its cookie", async () => {
    const browser = await signedInBrowser();
    const copy = browser.cookieHeader();
    expect(await opensWith(copy)).toBe(200);
    const response = await browser.post("/api/auth/sign-out", {});
    expect(response.headers.get("location")).toBe("/sign-in");
    expect(browser.cookieHeader()).not.toContain("crm-session");
    expect(await opensWith(copy)).toBe(401);
  });

  test("is not ended by another site", async () => {
    const copy = (await signedInBrowser()).cookieHeader();
    const headers = { cookie: copy, origin: "https://evil.example" };
    expect((await send(`${BASE_URL}/api/auth/sign-out`, { method: "POST", headers })).status).toBe(403);
    expect(await opensWith(copy)).toBe(200);
  });

  test("ends when its browser signs in again", async () => {
    const browser = await signedInBrowser();
    const copy = browser.cookieHeader();
    await browser.post("/api/auth/sign-in", { email, password: PASSWORD });
    expect(await opensWith(copy)).toBe(401);
    expect(await opensWith(browser.cookieHeader())).toBe(200);
  });

  test.each([
    [
      "its user is disabled",
      "UPDATE memberships SET disabled_at = now() WHERE user_id = (SELECT id FROM users WHERE email = $1)",
    ],
    ["its user's membership ends", "DELETE FROM memberships WHERE user_id = (SELECT id FROM users WHERE email = $1)"],
    [
      "seven days have passed",
      "UPDATE sessions SET expires_at = now() WHERE user_id = (SELECT id FROM users WHERE email = $1)",
    ],
  ])("is dead at once when %s", async (_when, statement) => {
    const copy = (await signedInBrowser()).cookieHeader();
    await pool().query(statement, [email]);
    expect(await opensWith(copy)).toBe(401);
  });

  test("cannot be made up", async () => {
    expect(await opensWith("crm-session=made-up")).toBe(401);
    expect(await opensWith("crm-session=")).toBe(401);
  });
});
