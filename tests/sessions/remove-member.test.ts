import { describe, expect, test } from "vitest";

import { newId } from "@/lib/ids";
import { removeMember } from "@/lib/sessions/members/change-member";
import { checkOidcSignIn } from "@/lib/sessions/openid/sign-in";
import {
  addAs,
  colleagueOf,
  contextOf,
  join,
  membersOf,
  run,
  signIn,
  toldOf,
  useAdmin,
} from "@/tests/sessions/support/people";
import { createOrganization, insertRecord } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

const admin = useAdmin();

describe("a member who is removed", () => {
  test("leaves their records; added again, they are the same user without the old password", async () => {
    const bo = await colleagueOf(admin);
    await pool().query("UPDATE users SET oidc_issuer = 'https://id.example', oidc_subject = $2 WHERE id = $1", [
      bo.userId,
      bo.userId,
    ]);
    const record = await insertRecord("accounts", admin.organizationId, { owner_id: bo.userId });
    expect(await run(removeMember, contextOf(admin), { user_id: bo.userId })).toEqual({
      user_id: bo.userId,
      sessions_ended: 1,
      tokens_stopped: 0,
      webhooks_switched_off: 0,
    });
    expect((await membersOf(admin)).map(({ user_id }) => user_id)).toEqual([admin.userId]);
    await expect(signIn(bo.email)).rejects.toThrow("CredentialsSignin");
    expect((await pool().query("SELECT owner_id FROM accounts WHERE id = $1", [record])).rows).toEqual([
      { owner_id: bo.userId },
    ]);
    expect((await pool().query("SELECT password_hash FROM users WHERE id = $1", [bo.userId])).rows).toEqual([
      { password_hash: null },
    ]);

    const again = await addAs(admin, { name: "Bo Again", email: bo.email, role: "member" });
    expect(again.member).toMatchObject({ user_id: bo.userId, name: "Bo Again", status: "invited", role: "member" });
    expect((await pool().query("SELECT oidc_subject FROM users WHERE id = $1", [bo.userId])).rows).toEqual([
      { oidc_subject: null },
    ]);
    expect((await toldOf(admin.organizationId, "member.removed")).map(({ details }) => details)).toEqual([
      {
        member_id: bo.userId,
        member_email: bo.email,
        member_name: "Bo Member",
        role: "member",
        sessions_ended: 1,
        tokens_stopped: 0,
        webhooks_switched_off: 0,
      },
    ]);
  });

  test("cannot join again through the OpenID provider, even with an allowed e-mail domain", async () => {
    const bo = await colleagueOf(admin);
    await run(removeMember, contextOf(admin), { user_id: bo.userId });
    const identity = {
      issuer: "https://id.example",
      subject: newId(),
      email: bo.email,
      isEmailVerified: true,
      name: "Bo",
    };
    const visit = { address: "192.0.2.1", browser: "Firefox on Linux" };
    expect(await checkOidcSignIn({ identity, emailDomains: ["example.com"], visit })).toEqual({
      outcome: "refused",
      reason: "no_organization",
    });
  });

  test("keeps their access to another organization, and their password", async () => {
    const bo = await colleagueOf(admin);
    const elsewhere = await createOrganization("Elsewhere");
    await join(bo.userId, elsewhere, "admin");
    await run(removeMember, contextOf(admin), { user_id: bo.userId });
    const browser = await signIn(bo.email);
    expect(await (await browser.get("/api/v1/accounts")).json()).toMatchObject({
      organizationId: elsewhere,
      role: "admin",
    });
  });
});
