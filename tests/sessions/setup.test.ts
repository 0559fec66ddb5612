import { beforeEach, expect, test } from "vitest";

import { pool } from "@/lib/db";
import { createFirstOrganization } from "@/lib/sessions/create-first-organization";
import { organizationExists } from "@/lib/sessions/organization-exists";
import { BASE_URL } from "@/tests/oauth/fixtures";
import { send } from "@/tests/oauth/service";
import { Browser } from "@/tests/support/obtain-access-token";

const FORM = { organization: "Acme", name: "Ada Admin", email: "Ada@Example.com ", password: "correct horse battery" };

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
  const browser = new Browser(BASE_URL, send);
  const response = await browser.post("/api/auth/setup", FORM);
  expect(response.status).toBe(303);
  expect(response.headers.get("location")).toBe("/");
  expect(await (await browser.get("/api/v1/accounts")).json()).toMatchObject({ role: "admin" });
  expect((await pool().query("SELECT email, name FROM users")).rows).toEqual([{ email: "ada@example.com", name: "Ada Admin" }]);
});

test("once there is an organization, the form only leads to the sign-in page", async () => {
  const browser = new Browser(BASE_URL, send);
  await browser.post("/api/auth/setup", FORM);
  const again = await new Browser(BASE_URL, send).post("/api/auth/setup", { ...FORM, email: "eve@example.com" });
  expect(again.headers.get("location")).toBe("/sign-in");
  expect(again.headers.getSetCookie()).toEqual([]);
  expect([await count("organizations"), await count("users")]).toEqual([1, 1]);
});

test("of eight first visits at once one wins, and nothing of the others is left", async () => {
  const visits = Array.from({ length: 8 }, (_, index) => ({ name: `Org ${index}`, admin: { ...person, email: `admin${index}@example.com` } }));
  const results = await Promise.allSettled(visits.map(createFirstOrganization));
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(results.flatMap((result) => (result.status === "rejected" ? result.reason.code : []))).toEqual(Array(7).fill("illegal_state"));
  expect([await count("organizations"), await count("users"), await count("memberships")]).toEqual([1, 1, 1]);
});

const person = { name: "Ada", password: FORM.password };

test.each([
  ["password", { password: "eleven char" }, "The password needs at least 12 characters; this one has 11."],
  ["email", { email: "nobody" }, "This is not an e-mail address. Enter one like name@example.com."],
  ["organization", { organization: "  " }, "Enter the organization's name."],
  ["name", { name: "" }, "Enter a name."],
])("a %s that will not do is sent back with a sentence", async (field, change, sentence) => {
  const { recallForm } = await import("@/app/form-memory");
  const response = await new Browser(BASE_URL, send).post("/api/auth/setup", { ...FORM, ...change });
  expect(response.headers.get("location")).toBe("/setup?retry");
  const [, memory] = /^crm-form=([^;]*)/.exec(response.headers.getSetCookie()[0] ?? "") ?? [];
  expect(recallForm(memory).faults).toEqual({ [field]: sentence });
  expect(JSON.stringify(recallForm(memory))).not.toContain(FORM.password);
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
