import { expect, test } from "vitest";

import type { Context } from "@/lib/context";
import { newId } from "@/lib/ids";
import { endMemberSessions, removeMember, updateMember } from "@/lib/sessions/members/change-member";
import { getUser, listUsers } from "@/lib/sessions/people/users";
import { arrange } from "@/tests/oauth/support/fixtures";
import {
  addAs,
  changeAs,
  colleagueOf,
  contextOf,
  join,
  membersOf,
  NEW_PASSWORD,
  newcomer,
  opensWith,
  reasonsOf,
  run,
  setPassword,
  signIn,
  toldOf,
  useAdmin,
} from "@/tests/sessions/support/people";
import { createContext, createOrganization } from "@/tests/support/factories";
import { countUp } from "@/tests/support/throttle-window";

const admin = useAdmin();

test("a new member is invited until they have set a password by their link, and then signs in", async () => {
  const input = newcomer();
  const added = await addAs(admin, { ...input, email: input.email.toUpperCase() });
  expect(added.member).toMatchObject({
    ...input,
    status: "invited",
    has_password: false,
    sessions: 0,
    link_expires_at: added.link.expires_at,
  });
  await setPassword(added);
  await signIn(input.email, NEW_PASSWORD);
  const [listed] = await membersOf(admin);
  expect(listed).toMatchObject({
    status: "active",
    has_password: true,
    sessions: 1,
    link_expires_at: null,
    last_used_at: expect.any(String),
  });
  expect(
    (await toldOf(admin.organizationId, "member.added")).map(({ user_id, details }) => [user_id, details]),
  ).toEqual([[admin.userId, { member_id: added.member.user_id, member_email: input.email, role: "member" }]]);
});

test.each([
  [{ name: "" }, "/name"],
  [{ name: "\u202eevE" }, "/name"],
  [{ email: "no address" }, "/email"],
  [{ email: "005000000000001aaa@another-organization.invalid" }, "/email"],
  [{ role: "owner" }, "/role"],
  [{ password: NEW_PASSWORD }, "/password"],
])("a member who cannot be added: %o", async (fault, pointer) => {
  await expect(addAs(admin, { ...newcomer(), ...fault })).rejects.toMatchObject({
    code: "invalid_request",
    errors: [{ pointer }],
  });
  expect(await membersOf(admin)).toHaveLength(1);
});

test("an e-mail address that is in use, also in another organization, cannot be added", async () => {
  const elsewhere = await arrange();
  const taken = { code: "conflict", errors: [{ pointer: "/email", code: "taken" }] };
  for (const email of [admin.email, elsewhere.email])
    await expect(addAs(admin, { ...newcomer(), email })).rejects.toMatchObject(taken);
  const input = newcomer();
  const outcomes = await Promise.allSettled([addAs(admin, input), addAs(admin, input), addAs(admin, input)]);
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(reasonsOf(outcomes)).toEqual([
    expect.objectContaining({ code: "conflict" }),
    expect.objectContaining({ code: "conflict" }),
  ]);
});

test("adding members is limited to a hundred an hour, so that nobody can probe e-mail addresses", async () => {
  await countUp("add-member", admin.organizationId, 100);
  await expect(addAs(admin)).rejects.toMatchObject({ code: "too_many_requests" });
});

test("a role applies from the next request on, and the audit log has the old and the new one", async () => {
  const bo = await colleagueOf(admin);
  const roleOf = async () => (await (await bo.browser.get("/api/v1/accounts")).json()) as { role: string };
  expect(await changeAs(admin, bo.userId, { role: "admin" })).toMatchObject({ role: "admin", user_id: bo.userId });
  expect(await roleOf()).toMatchObject({ role: "admin" });
  await changeAs(admin, bo.userId, { role: "admin" });
  await changeAs(admin, bo.userId, { role: "member" });
  expect(await roleOf()).toMatchObject({ role: "member" });
  expect((await toldOf(admin.organizationId, "member.role_changed")).map(({ details }) => details)).toEqual([
    { member_id: bo.userId, member_email: bo.email, before: "member", after: "admin" },
    { member_id: bo.userId, member_email: bo.email, before: "admin", after: "member", webhooks_switched_off: 0 },
  ]);
});

test("a disabled member is still listed, is a user only by their id, and can be enabled again", async () => {
  const bo = await colleagueOf(admin);
  expect(await changeAs(admin, bo.userId, { is_disabled: true })).toMatchObject({ status: "disabled", sessions: 0 });
  await expect(signIn(bo.email)).rejects.toThrow("CredentialsSignin");
  const asReader = { ...contextOf(admin), scopes: new Set(["crm:read"] as const) };
  expect(await run(getUser, asReader, { id: bo.userId })).toMatchObject({ id: bo.userId });
  expect(JSON.stringify(await run(listUsers, asReader, {}))).not.toContain(bo.userId);
  expect(await changeAs(admin, bo.userId, { is_disabled: false })).toMatchObject({ status: "active" });
  await signIn(bo.email);
  expect(
    (await toldOf(admin.organizationId, "member.disabled", "member.enabled")).map(({ action, details }) => [
      action,
      details.sessions_ended,
    ]),
  ).toEqual([
    ["member.disabled", 1],
    ["member.enabled", undefined],
  ]);
});

test("a member who is disabled in one organization keeps access to another", async () => {
  const bo = await colleagueOf(admin);
  const elsewhere = await createOrganization("Elsewhere");
  await join(bo.userId, elsewhere, "member");
  await changeAs(admin, bo.userId, { is_disabled: true });
  const browser = await signIn(bo.email);
  expect(await (await browser.get("/api/v1/accounts")).json()).toMatchObject({
    organizationId: elsewhere,
    role: "member",
  });
});

test("an admin ends a member's sessions and no others; where none is left, nothing is recorded", async () => {
  const bo = await colleagueOf(admin);
  const second = await signIn(bo.email);
  expect(await run(endMemberSessions, contextOf(admin), { user_id: bo.userId })).toEqual({
    user_id: bo.userId,
    sessions_ended: 2,
  });
  for (const browser of [bo.browser, second]) expect(await opensWith(browser.cookieHeader())).toBe(401);
  expect(await opensWith(admin.browser.cookieHeader())).toBe(200);
  expect(await run(endMemberSessions, contextOf(admin), { user_id: bo.userId })).toMatchObject({ sessions_ended: 0 });
  expect((await toldOf(admin.organizationId, "member.sessions_ended")).map(({ details }) => details)).toEqual([
    { member_id: bo.userId, member_email: bo.email, sessions_ended: 2 },
  ]);
});

test("members of other organizations, plain members and access tokens cannot change members", async () => {
  const [bo, stranger] = [await colleagueOf(admin), await createContext()];
  const ways = [
    (context: Context, user_id: string) => run(updateMember, context, { user_id, role: "admin" }),
    (context: Context, user_id: string) => run(updateMember, context, { user_id, is_disabled: true }),
    (context: Context, user_id: string) => run(removeMember, context, { user_id }),
    (context: Context, user_id: string) => run(endMemberSessions, context, { user_id }),
  ];
  for (const way of ways) {
    await expect(way(stranger, bo.userId)).rejects.toMatchObject({ code: "not_found" });
    await expect(way(contextOf(admin), newId())).rejects.toMatchObject({ code: "not_found" });
    await expect(way(contextOf(bo, "member"), admin.userId)).rejects.toMatchObject({ code: "forbidden" });
    const byToken = { ...contextOf(admin), clientId: newId() };
    await expect(way(byToken, bo.userId)).rejects.toMatchObject({ code: "forbidden" });
    // Who was demoted while the request was on its way.
    await expect(way(contextOf(bo, "admin"), admin.userId)).rejects.toMatchObject({ code: "forbidden" });
  }
  expect(await opensWith(bo.browser.cookieHeader())).toBe(200);
  expect((await membersOf(admin)).map(({ role, status }) => [role, status])).toEqual([
    ["member", "active"],
    ["admin", "active"],
  ]);
});
