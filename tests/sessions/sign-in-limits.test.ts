import { randomBytes } from "node:crypto";

import { beforeEach, describe, expect, test } from "vitest";

import { signInErrorSentence } from "@/app/api/auth/sign-in-error";
import { hashPassword } from "@/lib/sessions/passwords/password";
import { createOrganization } from "@/lib/sessions/people/organizations";
import { BASE_URL } from "@/tests/oauth/support/fixtures";
import { send } from "@/tests/oauth/support/service";
import { Browser } from "@/scripts/demo/obtain-access-token";
import { pool } from "@/tests/support/owner";
import { countUp, untilWindowLasts } from "@/tests/support/throttle-window";
import { createUserWithPassword } from "@/tests/support/user-with-password";

const PASSWORD = "correct horse battery";
let email: string;
let organizationId: string;
let userId: string;

beforeEach(async () => {
  await pool().query("TRUNCATE throttles");
  email = `ada-${randomBytes(6).toString("hex")}@example.com`;
  const admin = { email, name: "Ada", password: PASSWORD };
  ({ organizationId, userId } = await createOrganization({ name: "Acme", admin }));
});

/** Where the form leads when it comes from a network address, in a browser that has these cookies. */
async function attempt(fields: Record<string, string>, address: string, cookie = ""): Promise<string> {
  const headers = { origin: BASE_URL, "x-forwarded-for": address, cookie };
  const response = await send(`${BASE_URL}/api/auth/sign-in`, {
    method: "POST",
    headers,
    body: new URLSearchParams(fields),
  });
  return response.headers.get("location") ?? "";
}

/** The cookies of a browser in which somebody has signed in and out again. */
async function knownBrowser(fields = {}): Promise<string> {
  return (await new Browser(BASE_URL, send).post("/api/auth/sign-in", { email, password: PASSWORD, ...fields })).headers
    .getSetCookie()
    .filter((cookie) => cookie.startsWith("crm-device="))
    .map((cookie) => cookie.split(";", 1)[0])
    .join("; ");
}

/** What is counted as failed; a refusal of an earlier test may still be noted. */
const COUNTED = `SELECT count FROM throttles WHERE count > 0
  AND key NOT LIKE 'sign-in-throttled-told:%' AND key NOT LIKE 'started-sessions:%'`;

const THROTTLED = /^\/sign-in\?error=throttled%3A(\d+)$/;
const throttledOf = (answers: readonly string[]) => answers.filter((location) => THROTTLED.test(location)).length;

describe("failed sign-ins are throttled", () => {
  beforeEach(() => untilWindowLasts(15 * 60));

  const guess = { password: "wrong horse battery" };

  /** As many wrong guesses at once as given, each from a separate network unless `address` is given. */
  function guesses(count: number, address = (index: number) => `203.0.113.${index}`, cookie = ""): Promise<string[]> {
    return Promise.all(
      Array.from({ length: count }, (_, index) => attempt({ email, ...guess }, address(index), cookie)),
    );
  }

  test("per network and e-mail, and then the right password has to wait there as well", async () => {
    expect(throttledOf(await guesses(14, () => "203.0.113.1"))).toBe(4);
    const [, seconds] = THROTTLED.exec(await attempt({ email, password: PASSWORD }, "203.0.113.1")) ?? [];
    expect(Number(seconds)).toBeGreaterThan(0);
    expect(Number(seconds)).toBeLessThanOrEqual(900);
    expect(signInErrorSentence(`throttled:${seconds}`)).toMatch(
      /^Too many attempts to sign in\. Try again in \d+ (minute|second)s?\.$/,
    );
  });

  test("but nobody is locked out by guesses from one other network, however many", async () => {
    expect(throttledOf(await guesses(60, () => "203.0.113.1"))).toBe(50);
    expect(await attempt({ email, password: PASSWORD }, "203.0.113.2")).toBe("/");
  });

  test("per e-mail if the guesses come from many networks, except in a known browser", async () => {
    const other = `other-${email}`;
    await createUserWithPassword(organizationId, { email: other, name: "Max", password: PASSWORD }, "member");
    const [owners, others] = [await knownBrowser(), await knownBrowser({ email: other })];
    await pool().query("TRUNCATE throttles");
    expect(throttledOf(await guesses(54))).toBe(4);
    expect(await attempt({ email, password: PASSWORD }, "203.0.113.99")).toMatch(THROTTLED);
    expect(await attempt({ email, password: PASSWORD }, "203.0.113.99", others)).toMatch(THROTTLED);
    expect(await attempt({ email, password: PASSWORD }, "203.0.113.99", "crm-device=made-up.made-up")).toMatch(
      THROTTLED,
    );
    expect(await attempt({ email, password: PASSWORD }, "203.0.113.1", owners)).toBe("/");
  });

  test("also in a browser that was marked for an earlier user of the e-mail", async () => {
    const former = await knownBrowser();
    await pool().query("DELETE FROM users WHERE id = $1", [userId]);
    await createUserWithPassword(organizationId, { email, name: "Ada", password: PASSWORD }, "member");
    await pool().query("TRUNCATE throttles");
    expect(throttledOf(await guesses(54))).toBe(4);
    expect(await attempt({ email, password: PASSWORD }, "203.0.113.99", former)).toMatch(THROTTLED);
  });

  test("in a known browser too, in whichever network", async () => {
    const owners = await knownBrowser();
    expect(throttledOf(await guesses(14, undefined, owners))).toBe(4);
    expect(await attempt({ email, password: PASSWORD }, "203.0.113.99", owners)).toMatch(THROTTLED);
    expect(await attempt({ email, password: PASSWORD }, "203.0.113.99")).toBe("/");
  });

  test("per /64 of IPv6, since one person usually has all its addresses", async () => {
    expect(throttledOf(await guesses(14, (index) => `2001:db8::${index}`))).toBe(4);
    expect(throttledOf(await guesses(4, (index) => `2001:db8:0:${index + 1}::1`))).toBe(0);
    expect(throttledOf(await guesses(14, (index) => (index % 2 ? "198.51.100.1" : "::ffff:198.51.100.1")))).toBe(4);
  });

  test("per network, whoever is tried", async () => {
    const full = `INSERT INTO throttles (key, window_end, count) SELECT key, window_end, 100 FROM throttles
        WHERE key LIKE 'sign-in-network:%'`;
    await attempt({ email: "first@example.com", ...guess }, "203.0.113.1");
    await pool().query(`${full} ON CONFLICT (key, window_end) DO UPDATE SET count = 100`);
    expect(await attempt({ email: "second@example.com", ...guess }, "203.0.113.1")).toMatch(THROTTLED);
    expect(await attempt({ email: "second@example.com", ...guess }, "203.0.113.2")).toBe(
      "/sign-in?error=CredentialsSignin",
    );
  });

  test("but attempts refused unchecked for one e-mail do not count for others in the network", async () => {
    await guesses(14, () => "203.0.113.1");
    for (let round = 0; round < 3; round += 1)
      expect(await attempt({ email, password: PASSWORD }, "203.0.113.1")).toMatch(THROTTLED);
    const { rows } = await pool().query("SELECT count FROM throttles WHERE key LIKE 'sign-in-network:%'");
    expect(rows).toEqual([{ count: 10 }]);
  });

  test("while the right ones are taken back", async () => {
    for (let round = 0; round < 12; round += 1)
      expect(await attempt({ email, password: PASSWORD }, "203.0.113.1")).toBe("/");
    expect((await pool().query(COUNTED)).rows).toEqual([]);
  });

  test("and a sign-in does not reset the limits of guessers elsewhere", async () => {
    await guesses(49);
    expect(await attempt({ email, password: PASSWORD }, "203.0.113.99")).toBe("/");
    expect(throttledOf(await guesses(3, (index) => `198.51.100.${index}`))).toBe(2);
  });
});

test("a person signs in three hundred times an hour, since the audit log keeps each sign-in", async () => {
  await countUp("started-sessions", userId, 299);
  expect(await attempt({ email, password: PASSWORD }, "203.0.113.1")).toBe("/");
  expect(await attempt({ email, password: PASSWORD }, "203.0.113.2")).toMatch(THROTTLED);
  const { rowCount } = await pool().query("SELECT FROM sessions WHERE user_id = $1", [userId]);
  expect(rowCount).toBe(1);
  expect((await pool().query(COUNTED)).rows).toEqual([]);
});

test("two passwords are checked at a time and fifty wait; who comes then is told to, and is not counted", async () => {
  const told = new AbortController();
  const occupySlot = async () => {
    while (!told.signal.aborted) await hashPassword(PASSWORD);
  };
  const others = Promise.all(Array.from({ length: 52 }, occupySlot));
  await expect(hashPassword(PASSWORD)).rejects.toMatchObject({ code: "too_many_requests", retryAfter: 2 });
  const location = await attempt({ email, password: "wrong horse battery" }, "203.0.113.1");
  told.abort();
  await others;
  expect(location).toBe("/sign-in?error=throttled%3A2");
  expect((await pool().query(COUNTED)).rows).toEqual([]);
  expect(await attempt({ email, password: PASSWORD }, "203.0.113.1")).toBe("/");
});
