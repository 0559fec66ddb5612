import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { env } from "@/lib/env";
import { checkOidcSignIn } from "@/lib/sessions/openid/sign-in";
import { createOrganization } from "@/lib/sessions/people/organizations";
import { BASE_URL } from "@/tests/oauth/support/fixtures";
import {
  accounts,
  comeBack,
  createKnownUser,
  locationOf,
  newBrowser,
  PASSWORD,
  pressButton,
  send,
  setProvider,
  signInAs,
  signInAtProvider,
  useProvider,
} from "@/tests/sessions/support/oidc-service";
import { signInBrowser } from "@/scripts/demo/obtain-access-token";
import type { RunningProvider } from "@/tests/support/oidc-provider";
import { untilLockWaits } from "@/tests/support/lock-waits";
import { pool } from "@/tests/support/owner";
import { countUp } from "@/tests/support/throttle-window";

let provider: RunningProvider;
let email: string;
let account: string;
let userId: string;
let organizationId: string;

beforeAll(async () => {
  provider = await useProvider();
});
afterAll(() => provider.stop());

beforeEach(async () => {
  await pool().query("TRUNCATE organizations, users CASCADE");
  env.OIDC_EMAIL_DOMAINS = [];
  ({ email, account, organizationId, userId } = await createKnownUser());
  accounts.set(account, { email: email.toUpperCase(), email_verified: true, name: "Ada at the provider" });
});

async function whoIs(browser: { cookieHeader: () => string }): Promise<Record<string, unknown>> {
  const response = await send(`${BASE_URL}/api/v1/accounts`, { headers: { cookie: browser.cookieHeader() } });
  return (await response.json()) as Record<string, unknown>;
}

async function auditOf(action: string): Promise<object[]> {
  const { rows } = await pool().query(
    "SELECT user_id, details FROM audit_events WHERE organization_id = $1 AND action = $2 ORDER BY id",
    [organizationId, action],
  );
  return rows;
}

async function linkOf(id: string): Promise<unknown> {
  const { rows } = await pool().query("SELECT oidc_issuer, oidc_subject FROM users WHERE id = $1", [id]);
  return rows[0];
}

describe("a member whose e-mail the provider has verified", () => {
  test("signs in with all rights, returns to the requested page, and is linked", async () => {
    const browser = newBrowser();
    expect(await signInAs(account, browser, "/contacts?limit=5")).toBe("/contacts?limit=5");
    expect(await whoIs(browser)).toMatchObject({ organizationId, userId, role: "admin", clientId: null });
    expect(await linkOf(userId)).toEqual({ oidc_issuer: provider.issuer, oidc_subject: account });
    expect(await auditOf("user.linked")).toEqual([
      { user_id: userId, details: { issuer: provider.issuer, subject: account } },
    ]);
    expect(await auditOf("sign_in.succeeded")).toEqual([
      { user_id: userId, details: { method: "oidc", browser: "Unknown browser" } },
    ]);
  });

  test("is identified by their account from then on, whatever happens to the e-mail there", async () => {
    await signInAs(account);
    accounts.set(account, { email: "somebody-else@example.net", email_verified: false });
    const browser = newBrowser();
    expect(await signInAs(account, browser)).toBe("/");
    expect(await whoIs(browser)).toMatchObject({ userId });
    expect(await auditOf("sign_in.succeeded")).toHaveLength(2);
    expect(await auditOf("user.linked")).toHaveLength(1);
  });

  test("can still use their password", async () => {
    await signInAs(account);
    const browser = await signInBrowser({ baseUrl: BASE_URL, email, password: PASSWORD, fetch: send });
    expect(await whoIs(browser)).toMatchObject({ userId });
  });

  test("is linked once when two browsers sign in for the first time at once", async () => {
    const browsers = [newBrowser(), newBrowser(), newBrowser(), newBrowser()];
    const returns = await Promise.all(
      browsers.map(async (browser) => signInAtProvider(await pressButton(browser), account)),
    );
    const answers = await Promise.all(
      browsers.map((browser, index) => comeBack(browser, returns[index] ?? new URL(BASE_URL))),
    );
    expect(answers.map(locationOf)).toEqual(["/", "/", "/", "/"]);
    expect(await auditOf("user.linked")).toHaveLength(1);
  });

  test("is linked again when the service gets another provider", async () => {
    await pool().query("UPDATE users SET oidc_issuer = 'https://former.example', oidc_subject = $2 WHERE id = $1", [
      userId,
      account,
    ]);
    expect(await signInAs(account)).toBe("/");
    expect(await linkOf(userId)).toMatchObject({ oidc_issuer: provider.issuer });
  });
});

/** Where the attempt ends, and whether the browser has kept anything of it. */
async function attempt() {
  const browser = newBrowser();
  const location = await signInAs(account, browser, "/contacts");
  return { location, kept: browser.cookieHeader() };
}

function refusal(error: string) {
  return { location: `/sign-in?error=${error}&next=%2Fcontacts`, kept: "" };
}

describe("nobody is signed in, and the sign-in page says why, for", () => {
  test.each([[false], ["true"], [1], [undefined]])(
    "an e-mail that is not verified (email_verified: %j)",
    async (verified) => {
      accounts.set(account, { email, email_verified: verified });
      expect(await attempt()).toEqual(refusal("oidc_unverified"));
      expect(await linkOf(userId)).toEqual({ oidc_issuer: null, oidc_subject: null });
      expect(await auditOf("sign_in.failed")).toEqual([
        { user_id: userId, details: { method: "oidc", reason: "unverified" } },
      ]);
    },
  );

  test("an account without an e-mail", async () => {
    accounts.set(account, { email_verified: true });
    expect(await attempt()).toEqual(refusal("oidc_unverified"));
  });

  test("somebody who is not a member", async () => {
    accounts.set(account, { email: "nobody@example.com", email_verified: true });
    expect(await attempt()).toEqual(refusal("oidc_unknown"));
  });

  test("a disabled user, linked or not", async () => {
    await pool().query("UPDATE memberships SET disabled_at = now()");
    expect(await attempt()).toEqual(refusal("oidc_disabled"));
    expect(await linkOf(userId)).toEqual({ oidc_issuer: null, oidc_subject: null });
    await pool().query("UPDATE users SET oidc_issuer = $1, oidc_subject = $2", [provider.issuer, account]);
    expect(await attempt()).toEqual(refusal("oidc_disabled"));
    expect(await auditOf("sign_in.failed")).toHaveLength(2);
  });

  test("another account that now has the e-mail of a linked user", async () => {
    await signInAs(account);
    accounts.set("heir", { email, email_verified: true });
    expect(await signInAs("heir")).toBe("/sign-in?error=oidc_linked_elsewhere");
    expect(await auditOf("sign_in.failed")).toEqual([
      { user_id: userId, details: { method: "oidc", reason: "linked_elsewhere" } },
    ]);
  });

  test("a user whose membership has ended, even from an admitted domain", async () => {
    env.OIDC_EMAIL_DOMAINS = ["example.com"];
    await pool().query("DELETE FROM memberships");
    expect(await attempt()).toEqual(refusal("oidc_no_organization"));
    await pool().query("UPDATE users SET oidc_issuer = $1, oidc_subject = $2", [provider.issuer, account]);
    expect(await attempt()).toEqual(refusal("oidc_no_organization"));
  });

  test("somebody who has signed in three hundred times within the hour", async () => {
    await countUp("started-sessions", userId, 300);
    const { location, kept } = await attempt();
    expect([location, kept]).toEqual([expect.stringMatching(/^\/sign-in\?error=throttled%3A\d+&next=/), ""]);
  });

  test("somebody who cancels at the provider", async () => {
    const browser = newBrowser();
    expect(await signInAs(null, browser, "/contacts")).toBe("/sign-in?error=oidc_denied&next=%2Fcontacts");
    expect(browser.cookieHeader()).not.toContain("crm-oidc");
  });
});

describe("with OIDC_EMAIL_DOMAINS", () => {
  let stranger: string;

  beforeEach(() => {
    env.OIDC_EMAIL_DOMAINS = ["corp.example"];
    stranger = `new-${account}`;
    accounts.set(stranger, { email: "New@Corp.example", email_verified: true, name: "Nora\u0000 New" });
  });

  test("a stranger of that domain becomes a member of the only organization, without a password", async () => {
    const browser = newBrowser();
    expect(await signInAs(stranger, browser)).toBe("/");
    const { userId: id } = await whoIs(browser);
    expect(await whoIs(browser)).toMatchObject({ organizationId, role: "member" });
    const { rows } = await pool().query("SELECT email, name, password_hash FROM users WHERE id = $1", [id]);
    expect(rows).toEqual([{ email: "new@corp.example", name: "Nora  New", password_hash: null }]);
    expect(await auditOf("user.joined")).toEqual([
      { user_id: id, details: { issuer: provider.issuer, subject: stranger } },
    ]);
    expect(await auditOf("user.linked")).toEqual([]);
    env.OIDC_EMAIL_DOMAINS = [];
    expect(await signInAs(stranger)).toBe("/");
  });

  test("one user is made when several browsers sign in at once", async () => {
    const browsers = [newBrowser(), newBrowser(), newBrowser()];
    expect(await Promise.all(browsers.map((browser) => signInAs(stranger, browser)))).toEqual(["/", "/", "/"]);
    const { rowCount } = await pool().query("SELECT FROM users WHERE email = 'new@corp.example'");
    expect(rowCount).toBe(1);
  });

  test.each([
    ["of another domain", { email: "new@other.example", email_verified: true }, "oidc_unknown"],
    ["of a domain below it", { email: "new@sub.corp.example", email_verified: true }, "oidc_unknown"],
    ["of a domain that ends like it", { email: "new@evilcorp.example", email_verified: true }, "oidc_unknown"],
    ["whose e-mail is not verified", { email: "new@corp.example", email_verified: false }, "oidc_unverified"],
  ])("a stranger %s does not", async (_who, claims, error) => {
    accounts.set(stranger, claims);
    expect(await signInAs(stranger)).toBe(`/sign-in?error=${error}`);
    expect((await pool().query("SELECT FROM users")).rowCount).toBe(1);
  });

  test("a stranger who comes while the organization is being deleted leaves no user behind", async () => {
    const deleting = await pool().connect();
    await deleting.query("BEGIN");
    await deleting.query("UPDATE organizations SET deleted_at = now() WHERE id = $1", [organizationId]);
    const coming = signInAs(stranger);
    await untilLockWaits(1);
    await deleting.query("COMMIT");
    deleting.release();
    expect(await coming).toBe("/sign-in?error=oidc_unknown");
    expect((await pool().query("SELECT FROM users WHERE email = 'new@corp.example'")).rowCount).toBe(0);
  });

  test("nobody does when there are two organizations to choose from", async () => {
    await createOrganization({ name: "Beta", admin: { email: "bo@example.com", name: "Bo", password: PASSWORD } });
    expect(await signInAs(stranger)).toBe("/sign-in?error=oidc_unknown");
  });
});

test("no link and no member is made that cannot be recorded in the audit log", async () => {
  const identity = { issuer: provider.issuer, subject: account, email, isEmailVerified: true, name: "Ada" };
  // PostgreSQL's text cannot contain NUL, so only the event is refused.
  const signIn = { emailDomains: ["corp.example"], visit: { address: "192.0.2.7\u0000", browser: "Firefox on Linux" } };
  await expect(checkOidcSignIn({ ...signIn, identity })).rejects.toThrow("invalid byte sequence");
  expect(await linkOf(userId)).toEqual({ oidc_issuer: null, oidc_subject: null });
  await expect(checkOidcSignIn({ ...signIn, identity: { ...identity, email: "new@corp.example" } })).rejects.toThrow(
    "invalid byte sequence",
  );
  expect((await pool().query("SELECT FROM users")).rowCount).toBe(1);
});

test("the session replaces the one that the browser had", async () => {
  const browser = await signInBrowser({ baseUrl: BASE_URL, email, password: PASSWORD, fetch: send });
  const former = browser.cookieHeader();
  expect(await signInAs(account, browser)).toBe("/");
  expect((await send(`${BASE_URL}/api/v1/accounts`, { headers: { cookie: former } })).status).toBe(401);
  expect(await whoIs(browser)).toMatchObject({ userId });
});

test("without a provider in the settings neither of its routes exists", async () => {
  try {
    setProvider({ issuer: "", clientId: "", clientSecret: "" });
    const browser = newBrowser();
    expect((await browser.post("/api/auth/oidc", {})).status).toBe(404);
    expect((await browser.get("/api/auth/callback/oidc?code=x&state=x")).status).toBe(404);
  } finally {
    setProvider(provider);
  }
});
