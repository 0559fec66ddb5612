import { beforeEach, describe, expect, test } from "vitest";

import { removeMember } from "@/lib/sessions/members/change-member";
import {
  accessTokenOf,
  answerConsent,
  type Arranged,
  arrange,
  authorizeQuery,
  callApi,
  consentFields,
  exchange,
  obtainCode,
  obtainToken,
  visit,
} from "@/tests/oauth/support/fixtures";
import {
  addAs,
  changeAs,
  colleagueOf,
  contextOf,
  opensWith,
  run,
  signIn,
  tokenIn,
  sendJson,
  NEW_PASSWORD,
  useAdmin,
} from "@/tests/sessions/support/people";
import { untilLockWaits } from "@/tests/support/lock-waits";
import { pool } from "@/tests/support/owner";

const admin = useAdmin();
let member: Arranged;

beforeEach(async () => {
  member = await colleagueOf(admin);
});

const disable = () => changeAs(admin, member.userId, { is_disabled: true });
const enable = () => changeAs(admin, member.userId, { is_disabled: false });
const remove = () => run(removeMember, contextOf(admin), { user_id: member.userId });

async function addAgain(): Promise<void> {
  const { link } = await addAs(admin, { name: "Bo Again", email: member.email, role: "member" });
  await sendJson("PUT", "/api/auth/password-link", { token: tokenIn(link.url), password: NEW_PASSWORD });
}

describe.each([
  ["disabled, and enabled again,", disable, enable],
  ["removed, and added again,", remove, addAgain],
])("when a member is %s", (_what, end, beginAgain) => {
  test("every session, access token and code is refused from the next request on", async () => {
    const [token, code, cookie] = [await obtainToken(member), await obtainCode(member), member.browser.cookieHeader()];
    const others = await obtainToken(admin);
    expect([(await callApi(token)).status, await opensWith(cookie)]).toEqual([200, 200]);
    expect(await end()).toMatchObject({ user_id: member.userId });

    const expectRefused = async () => {
      expect([(await callApi(token)).status, await opensWith(cookie)]).toEqual([401, 401]);
      const answer = await exchange(member, code);
      expect([answer.status, await answer.json()]).toEqual([400, expect.objectContaining({ error: "invalid_grant" })]);
      expect(await visit(member, authorizeQuery(member))).toMatch(/^\/sign-in\?next=/);
    };
    await expectRefused();
    await beginAgain();
    await expectRefused();
    expect((await callApi(others)).status).toBe(200);
  });

  test("a consent page that was open gives no code", async () => {
    const location = await visit(member, authorizeQuery(member));
    const fields = consentFields(await (await member.browser.get(location)).text());
    await end();
    const response = await member.browser.post("/oauth/consent/decision", { ...fields, decision: "allow" });
    expect([response.status, response.headers.get("location")]).toEqual([400, null]);
  });

  test("simultaneous sign-ins, consents and exchanges leave nothing that works", async () => {
    for (let round = 0; round < 8; round++) {
      Object.assign(admin, await arrange());
      member = await colleagueOf(admin);
      const [code, location] = [await obtainCode(member), await visit(member, authorizeQuery(member))];
      const [browser, exchanged, consented] = await Promise.all([
        signIn(member.email).catch(() => null),
        exchange(member, code).then(accessTokenOf),
        answerConsent(member, location, "allow").then(
          (to) => to.searchParams.get("code") ?? "none",
          () => "none",
        ),
        end(),
      ]);
      const expectNothing = async () => {
        expect(await opensWith(browser?.cookieHeader() ?? "")).toBe(401);
        expect((await callApi(exchanged || "none")).status).toBe(401);
        expect((await exchange(member, consented)).status).toBe(400);
      };
      await expectNothing();
      await beginAgain();
      await expectNothing();
    }
  });
});

test("ending a member's access leaves nothing of it in the database", async () => {
  await obtainToken(member);
  await obtainCode(member);
  await disable();
  for (const table of ["sessions", "oauth_grants", "oauth_codes", "oauth_tokens", "password_links"]) {
    expect([table, (await pool().query(`SELECT FROM ${table} WHERE user_id = $1`, [member.userId])).rowCount]).toEqual([
      table,
      0,
    ]);
  }
});

test("a consent during the disabling of its member leaves no grant", async () => {
  const location = await visit(member, authorizeQuery(member));
  // The consent proceeds up to its grant, which needs the client.
  const holder = await pool().connect();
  await holder.query("BEGIN");
  await holder.query("SELECT FROM oauth_clients WHERE id = $1 FOR UPDATE", [member.client.id]);
  const consenting = answerConsent(member, location, "allow");
  await untilLockWaits(1);
  const ending = disable();
  await Promise.race([ending, untilLockWaits(2)]);
  await holder.query("COMMIT");
  holder.release();
  await Promise.all([consenting, ending]);
  expect((await pool().query("SELECT FROM oauth_grants WHERE user_id = $1", [member.userId])).rowCount).toBe(0);
});
