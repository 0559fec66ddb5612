import { randomBytes } from "node:crypto";

import { expect, test } from "vitest";

import { checkOidcSignIn } from "@/lib/sessions/openid/sign-in";
import { createOrganization } from "@/lib/sessions/people/organizations";
import { checkSignIn } from "@/lib/sessions/sign-in/check-sign-in";
import { arrange, exchange, obtainCode } from "@/tests/oauth/support/fixtures";
import { pool } from "@/tests/support/owner";
import { untilWindowLasts } from "@/tests/support/throttle-window";

async function countEvents(organizationId: string, action: string): Promise<number> {
  const text = "SELECT count(*)::int AS n FROM audit_events WHERE organization_id = $1 AND action = $2";
  return (await pool().query<{ n: number }>(text, [organizationId, action])).rows[0]?.n ?? -1;
}

/** How often `action` is recorded; waits for what has been counted, since the service does not wait for it. */
async function toldOf(organizationId: string, action: string, expected: number): Promise<number> {
  await expect.poll(() => countEvents(organizationId, action), { timeout: 20_000 }).toBe(expected);
  return expected;
}

test("sign-ins that are refused unchecked are recorded once per window, however many there are", async () => {
  await untilWindowLasts(15 * 60);
  const email = `ada-${randomBytes(6).toString("hex")}@example.com`;
  const { organizationId } = await createOrganization({
    name: "Acme",
    admin: { email, name: "Ada", password: "correct horse battery" },
  });
  const attempt = {
    email,
    password: "wrong horse battery",
    address: "203.0.113.9",
    browser: "Firefox on Linux",
    deviceMark: null,
  };
  const outcomes: string[] = [];
  for (let index = 0; index < 30; index++) outcomes.push((await checkSignIn(attempt)).outcome);
  expect(outcomes.filter((outcome) => outcome === "throttled")).toHaveLength(20);
  await toldOf(organizationId, "sign_in.failed", 10);
  await toldOf(organizationId, "sign_in.throttled", 1);
  await expect
    .poll(() =>
      pool()
        .query("SELECT FROM throttles WHERE key LIKE 'sign-in-throttled-told:%' AND count = 20")
        .then((r) => r.rowCount),
    )
    .toBe(1);
  expect(await countEvents(organizationId, "sign_in.throttled")).toBe(1);
});

test("refusals of a sign-in through the provider are recorded ten times per window and reason", async () => {
  await untilWindowLasts(15 * 60);
  const email = `ada-${randomBytes(6).toString("hex")}@example.com`;
  const { organizationId, userId } = await createOrganization({
    name: "Acme",
    admin: { email, name: "Ada", password: "correct horse battery" },
  });
  const identity = {
    issuer: "https://login.example.com",
    subject: "somebody",
    email,
    isEmailVerified: false,
    name: "Ada",
  };
  const signIn = { emailDomains: [], visit: { address: "203.0.113.9", browser: "Firefox on Linux" } };
  const unverified = { outcome: "refused", reason: "unverified" };
  for (let index = 0; index < 13; index++) expect(await checkOidcSignIn({ ...signIn, identity })).toEqual(unverified);
  expect(await countEvents(organizationId, "sign_in.failed")).toBe(10);
  await pool().query("UPDATE memberships SET disabled_at = now() WHERE user_id = $1", [userId]);
  await checkOidcSignIn({ ...signIn, identity: { ...identity, isEmailVerified: true } });
  expect(await countEvents(organizationId, "sign_in.failed")).toBe(11);
});

test("wrong client secrets from many addresses do not fill the audit log", async () => {
  await untilWindowLasts(15 * 60);
  const arranged = await arrange();
  const guess = (index: number) =>
    exchange(arranged, "none", {
      fields: { client_secret: "wrong" },
      headers: { "x-forwarded-for": `2001:db8:0:${index.toString(16)}::1` },
    });
  for (let index = 1; index <= 30; index++) expect((await guess(index)).status).toBe(401);
  await expect
    .poll(() =>
      pool()
        .query("SELECT FROM throttles WHERE key LIKE 'client-refused-told:%' AND count = 30")
        .then((r) => r.rowCount),
    )
    .toBe(1);
  await toldOf(arranged.organizationId, "client.refused", 20);
});

test("replays of one code are recorded three times per window, and always if they revoke something", async () => {
  await untilWindowLasts(15 * 60);
  const arranged = await arrange();
  const code = await obtainCode(arranged);
  for (let index = 0; index < 12; index++) await exchange(arranged, code);
  const { rows } = await pool().query<{ details: { tokens_stopped: number } }>(
    "SELECT details FROM audit_events WHERE organization_id = $1 AND action = 'code.replayed' ORDER BY id",
    [arranged.organizationId],
  );
  expect(rows.map(({ details }) => details.tokens_stopped)).toEqual([1, 0, 0]);
});
