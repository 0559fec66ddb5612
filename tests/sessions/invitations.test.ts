import { beforeEach, describe, expect, test } from "vitest";

import { newId } from "@/lib/ids";
import { removeMember } from "@/lib/sessions/members/change-member";
import { makePasswordLink } from "@/lib/sessions/members/password-link";
import { checkOidcSignIn } from "@/lib/sessions/openid/sign-in";
import type { PasswordLink } from "@/lib/sessions/schemas";
import { type Arranged, arrange, callApi, obtainToken } from "@/tests/oauth/support/fixtures";
import {
  type Added,
  addAs,
  colleagueOf,
  contextOf,
  NEW_PASSWORD,
  newcomer,
  opensWith,
  run,
  sendJson,
  setPassword,
  signIn,
  toldOf,
  tokenIn,
  useAdmin,
} from "@/tests/sessions/support/people";
import { pool } from "@/tests/support/owner";

const admin = useAdmin();

/** The effect of a verified e-mail at the first sign-in with a provider's account. */
function comeByProvider(email: string) {
  const identity = {
    issuer: "https://id.example",
    subject: newId(),
    email,
    isEmailVerified: true,
    name: "Cy at the provider",
  };
  return checkOidcSignIn({
    identity,
    emailDomains: ["example.com"],
    visit: { address: "192.0.2.1", browser: "Firefox on Linux" },
  });
}

describe("a person who has invited an e-mail address", () => {
  let invited: Arranged;
  let added: Added;

  beforeEach(async () => {
    const input = newcomer();
    added = await addAs(admin, input);
    invited = { ...admin, email: input.email, userId: added.member.user_id };
  });

  test("cannot sign in by a password that they set by the link, once its owner came by the provider", async () => {
    await setPassword(added);
    invited.browser = await signIn(invited.email, NEW_PASSWORD);
    const [cookie, token] = [invited.browser.cookieHeader(), await obtainToken(invited)];
    expect(await comeByProvider(invited.email)).toMatchObject({
      outcome: "accepted",
      session: { userId: invited.userId },
    });
    expect([await opensWith(cookie), (await callApi(token)).status]).toEqual([401, 401]);
    await expect(signIn(invited.email, NEW_PASSWORD)).rejects.toThrow("CredentialsSignin");
    const left = "SELECT password_hash, has_link_password FROM users WHERE id = $1";
    expect((await pool().query(left, [invited.userId])).rows).toEqual([
      { password_hash: null, has_link_password: false },
    ]);
    expect((await toldOf(admin.organizationId, "user.linked")).map(({ details }) => details)).toMatchObject([
      { password_forgotten: true, sessions_ended: 1, tokens_stopped: 1, webhooks_switched_off: 0 },
    ]);
  });

  test("cannot sign in by the link either after the first sign-in through the provider", async () => {
    await comeByProvider(invited.email);
    const answer = await sendJson("PUT", "/api/auth/password-link", {
      token: tokenIn(added.link.url),
      password: NEW_PASSWORD,
    });
    expect(answer.status).toBe(404);
    await expect(signIn(invited.email, NEW_PASSWORD)).rejects.toThrow("CredentialsSignin");
  });

  test("cannot sign in by a sign-in that was in flight when the owner came", async () => {
    await setPassword(added);
    for (let round = 0; round < 5; round++) {
      await pool().query("UPDATE users SET oidc_issuer = NULL, oidc_subject = NULL WHERE id = $1", [invited.userId]);
      const [browser] = await Promise.all([
        signIn(invited.email, NEW_PASSWORD).catch(() => null),
        comeByProvider(invited.email),
      ]);
      expect(await opensWith(browser?.cookieHeader() ?? "")).toBe(401);
    }
  });

  test("cannot sign in once another organization has the person: link, password and id have ended", async () => {
    await setPassword(added);
    const second = (await run<PasswordLink>(makePasswordLink, contextOf(admin), { user_id: invited.userId })).url;
    await run(removeMember, contextOf(admin), { user_id: invited.userId });
    const there = await addAs(await arrange(), { ...newcomer(), email: invited.email });
    await expect(signIn(invited.email, NEW_PASSWORD)).rejects.toThrow("CredentialsSignin");
    expect(
      (await sendJson("PUT", "/api/auth/password-link", { token: tokenIn(second), password: NEW_PASSWORD })).status,
    ).toBe(404);
    await expect(run(makePasswordLink, contextOf(admin), { user_id: there.member.user_id })).rejects.toMatchObject({
      code: "not_found",
    });
    await setPassword(there);
    await signIn(invited.email, NEW_PASSWORD);
  });
});

test("a password that was not set by a link still works after a sign-in through the provider", async () => {
  const bo = await colleagueOf(admin);
  expect(await comeByProvider(bo.email)).toMatchObject({ outcome: "accepted" });
  expect(await opensWith(bo.browser.cookieHeader())).toBe(200);
  await signIn(bo.email);
});

test("a removed member gets a new id in another organization, and the former id in the same one", async () => {
  const bo = await colleagueOf(admin);
  await run(removeMember, contextOf(admin), { user_id: bo.userId });
  const elsewhere = await arrange();
  const input = { name: "Bo Elsewhere", email: bo.email, role: "member" };
  const { member } = await addAs(elsewhere, input);
  expect(member.user_id).not.toBe(bo.userId);
  await run(removeMember, contextOf(elsewhere), { user_id: member.user_id });
  expect((await addAs(admin, { ...newcomer(), email: bo.email })).member.user_id).toBe(bo.userId);
  await run(removeMember, contextOf(admin), { user_id: bo.userId });
  expect((await addAs(elsewhere, input)).member).toMatchObject({ user_id: member.user_id, status: "invited" });
});
