import { beforeEach, expect, test } from "vitest";

import { recallForm } from "@/app/form-memory";
import { createFirstOrganization, organizationExists } from "@/lib/sessions/people/organizations";
import { assertSetupCode, setupCode } from "@/lib/sessions/people/setup-code";
import { BASE_URL } from "@/tests/oauth/support/fixtures";
import { send } from "@/tests/oauth/support/service";
import { Browser } from "@/scripts/demo/obtain-access-token";
import { pool } from "@/tests/support/owner";
import { untilWindowLasts } from "@/tests/support/throttle-window";

const FORM = {
  setup_code: setupCode(),
  organization: "Acme",
  name: "Ada Admin",
  email: "Ada@Example.com ",
  password: "correct horse battery",
};

/** A browser at a network address, as the web process reports it. */
function browserAt(address = "127.0.0.1"): Browser {
  return new Browser(BASE_URL, (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set("x-forwarded-for", address);
    return send(input, { ...init, headers });
  });
}

/** The sentences, per field, with which a form comes back. */
function faultsOf(response: Response): Record<string, string> {
  const [, memory] = /^crm-form=([^;]*)/.exec(response.headers.getSetCookie()[0] ?? "") ?? [];
  return recallForm("/setup", memory).faults;
}

beforeEach(async () => {
  await pool().query("TRUNCATE organizations, users, throttles CASCADE");
});

function count(table: "organizations" | "users" | "memberships"): Promise<number> {
  return pool()
    .query<{ count: number }>(`SELECT count(*)::int AS count FROM ${table}`)
    .then(({ rows }) => rows[0]?.count ?? -1);
}

test("the first visit creates the organization and its admin, and signs the admin in", async () => {
  expect(await organizationExists()).toBe(false);
  const browser = browserAt();
  const response = await browser.post("/api/auth/setup", FORM);
  expect(response.status).toBe(303);
  expect(response.headers.get("location")).toBe("/");
  expect(await (await browser.get("/api/v1/accounts")).json()).toMatchObject({ role: "admin" });
  expect((await pool().query("SELECT email, name FROM users")).rows).toEqual([
    { email: "ada@example.com", name: "Ada Admin" },
  ]);
});

test("once there is an organization, the form only redirects to the sign-in page", async () => {
  const browser = browserAt();
  await browser.post("/api/auth/setup", FORM);
  const again = await browserAt().post("/api/auth/setup", { ...FORM, email: "eve@example.com" });
  expect(again.headers.get("location")).toBe("/sign-in");
  expect(again.headers.getSetCookie()).toEqual([]);
  expect([await count("organizations"), await count("users")]).toEqual([1, 1]);
});

test("of eight first visits at once one wins, and the others leave nothing behind", async () => {
  const visits = Array.from({ length: 8 }, (_, index) => ({
    name: `Org ${index}`,
    admin: { ...person, email: `admin${index}@example.com` },
  }));
  const results = await Promise.allSettled(visits.map(createFirstOrganization));
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(results.flatMap((result) => (result.status === "rejected" ? result.reason.code : []))).toEqual(
    Array(7).fill("illegal_state"),
  );
  expect([await count("organizations"), await count("users"), await count("memberships")]).toEqual([1, 1, 1]);
});

const person = { name: "Ada", password: FORM.password };

test.each(["203.0.113.9", "192.168.1.20", "fd00::1", "unknown", "127.0.0.1", "::1", "::ffff:127.0.0.1"])(
  "a visit from %s creates nothing without the setup code or with a wrong one",
  async (address) => {
    for (const setup_code of ["", "0000-0000-0000", `${setupCode()}X`]) {
      const response = await browserAt(address).post("/api/auth/setup", { ...FORM, setup_code });
      expect(response.headers.get("location")).toBe("/setup?retry");
      expect(faultsOf(response)).toEqual({ setup_code: expect.stringContaining("not the setup code") });
    }
    expect([await count("organizations"), await count("users")]).toEqual([0, 0]);
  },
);

test.each([setupCode(), ` ${setupCode().toLowerCase().replaceAll("-", " ")} `])(
  "a visit from elsewhere with the setup code, as %j",
  async (setup_code) => {
    const response = await browserAt("203.0.113.9").post("/api/auth/setup", { ...FORM, setup_code });
    expect(response.headers.get("location")).toBe("/");
    expect(await count("organizations")).toBe(1);
  },
);

test("the right setup code is not counted: ten weak passwords can be followed by a good one", async () => {
  await untilWindowLasts(15 * 60);
  for (let attempt = 0; attempt < 10; attempt += 1)
    await browserAt().post("/api/auth/setup", { ...FORM, password: "short" });
  expect((await browserAt().post("/api/auth/setup", FORM)).headers.get("location")).toBe("/");
});

test("the setup code can be read out: three groups of four, without ambiguous letters", () => {
  expect(setupCode()).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){2}$/);
  expect(setupCode()).toBe(setupCode());
});

const wrong = (): Promise<void> => assertSetupCode({ address: "198.51.100.7", code: "wrong" });

test("too many wrong setup codes say when to try again", async () => {
  await untilWindowLasts(15 * 60);
  for (let guess = 0; guess < 10; guess += 1) await expect(wrong()).rejects.toMatchObject({ code: "forbidden" });
  const refused = { code: "too_many_requests", errors: [{ pointer: "/setup_code" }] };
  await expect(wrong()).rejects.toMatchObject({ ...refused, retryAfter: expect.any(Number) });
});

test("wrong setup codes are throttled per network, and other networks are not", async () => {
  await untilWindowLasts(15 * 60);
  for (let guess = 0; guess < 10; guess += 1)
    await browserAt(`2001:db8::${guess}`).post("/api/auth/setup", { ...FORM, setup_code: "wrong" });
  const right = { ...FORM, setup_code: setupCode() };
  expect(faultsOf(await browserAt("2001:db8::99").post("/api/auth/setup", right))).toEqual({
    setup_code: expect.stringContaining("Too many"),
  });
  expect((await browserAt("2001:db8:0:1::1").post("/api/auth/setup", right)).headers.get("location")).toBe("/");
});

test.each([
  ["password", { password: "eleven char" }, "The password needs at least 12 characters; this one has 11."],
  ["password", { password: "Password2026!" }, expect.stringMatching(/among the most used passwords.*unrelated words/)],
  ["password", { password: "qwertyqwerty" }, expect.stringContaining("repeats itself")],
  ["password", { password: "abcdefghijklm" }, expect.stringContaining("row of neighboring")],
  ["password", { password: "Acme-2026-Acme!" }, expect.stringContaining("the organization's name")],
  ["password", { password: "ada@example.com" }, expect.stringContaining("your e-mail address")],
  ["password", { password: "x".repeat(257) }, "The password may have at most 256 characters; this one has 257."],
  ["email", { email: "nobody" }, "This is not an e-mail address. Enter one like name@example.com."],
  ["organization", { organization: "  " }, "Enter the organization's name."],
  ["name", { name: "" }, "Enter a name."],
])("a %s that will not do is sent back with a sentence", async (field, change, sentence) => {
  const response = await browserAt().post("/api/auth/setup", { ...FORM, ...change });
  expect(response.headers.get("location")).toBe("/setup?retry");
  expect(faultsOf(response)).toEqual({ [field]: sentence });
  const [, memory] = /^crm-form=([^;]*)/.exec(response.headers.getSetCookie()[0] ?? "") ?? [];
  expect(recallForm("/setup", memory).values).not.toHaveProperty("password");
  expect(await count("organizations")).toBe(0);
});

test.each([{}, { origin: "https://evil.example" }, { origin: "null" }, { "sec-fetch-site": "cross-site" }])(
  "a form with the headers %j is not from our page",
  async (headers) => {
    const request = { method: "POST", headers: headers as Record<string, string>, body: new URLSearchParams(FORM) };
    expect((await send(`${BASE_URL}/api/auth/setup`, request)).status).toBe(403);
    expect(await count("organizations")).toBe(0);
  },
);
