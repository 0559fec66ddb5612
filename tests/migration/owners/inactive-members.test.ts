import { expect, test } from "vitest";

import type { Context } from "@/lib/context";
import { newId } from "@/lib/ids";
import { configurationSchema } from "@/lib/migration/configuration/configuration-schema";
import { getConfiguration } from "@/lib/migration/configuration/configure-migration";
import { makeInactiveMembers } from "@/lib/migration/owners/make-members";
import { MAX_CHOSEN } from "@/lib/migration/owners/owners-schema";
import { execute, valueOf } from "@/lib/operation";
import { removeMember } from "@/lib/sessions/members/change-member";
import { inviteMember } from "@/lib/sessions/members/invite-member";
import { listUsers } from "@/lib/sessions/people/users";
import { createMigration, recordsOf, runMigration } from "@/tests/migration/support/run-migration";
import { ScriptedSource, sourceId, sourceRecord } from "@/tests/migration/support/scripted-source";
import { createContext, createOrganization, createUser } from "@/tests/support/factories";
import { untilLockWaits } from "@/tests/support/lock-waits";
import { pool } from "@/tests/support/owner";

const ANA = "005000000000001AAA";
const BEN = "005000000000002AAA";

test("records keep whose they were through members who cannot sign in until they are invited", async () => {
  const key = await createMigration(["Case", "CaseComment"]);
  const context = await createContext({ organizationId: key.organizationId, role: "admin" });
  const make = (users: unknown) => execute(makeInactiveMembers, context, { migration_id: key.migrationId, users });
  const { data, configuration: choices } = valueOf(await make([{ id: ANA.slice(0, 15), name: "Ana Ruiz" }]));
  const [made] = data;
  expect(data).toEqual([{ id: ANA, user_id: expect.any(String), created: true }]);
  expect(choices.owners?.members).toEqual({ [ANA]: made?.user_id });
  expect(valueOf(await execute(getConfiguration, context, { migration_id: key.migrationId }))).toEqual(choices);

  const source = new ScriptedSource({
    User: [sourceRecord("005", 1, { Id: ANA, Name: "Ana Ruiz", Email: "ana@elsewhere.example" })],
    Group: [],
    Case: [sourceRecord("500", 1, { Subject: "S", OwnerId: ANA })],
    CaseComment: [sourceRecord("00a", 1, { ParentId: sourceId("500", 1), CommentBody: "C", CreatedById: ANA })],
  });
  await runMigration(key, source);
  expect(Object.values(await recordsOf("cases", key.organizationId))).toMatchObject([{ owner_id: made?.user_id }]);
  expect(Object.values(await recordsOf("case_comments", key.organizationId))).toMatchObject([
    { author_id: made?.user_id, author_name: "Ana Ruiz" },
  ]);
  const { data: active } = valueOf(await execute(listUsers, context, { limit: 50 }));
  expect(active.map(({ id }) => id)).not.toContain(made?.user_id);

  // Once more: the same member, and no other.
  expect(valueOf(await make([{ id: ANA, name: "Ana Ruiz" }])).data).toEqual([
    { id: ANA, user_id: made?.user_id, created: false },
  ]);
  const { rowCount } = await pool().query("SELECT FROM memberships WHERE organization_id = $1", [key.organizationId]);
  // Whoever made the migration, the admin, and Ana.
  expect(rowCount).toBe(3);
  await comesAlive(context, made?.user_id);
});

/** Invites an inactive member: from then on they are among those who can sign in, and cannot be invited again. */
async function comesAlive(context: Context, user_id: string | undefined): Promise<void> {
  const email = `${newId()}@example.com`;
  const invited = valueOf(await execute(inviteMember, context, { user_id, email }));
  expect(invited).toMatchObject({ member: { user_id, email, name: "Ana Ruiz", status: "invited" } });
  expect(invited.link.url).toMatch(/\/set-password#/);
  const { data } = valueOf(await execute(listUsers, context, { limit: 50 }));
  expect(data.map(({ id }) => id)).toContain(user_id);
  await expect(execute(inviteMember, context, { user_id, email })).rejects.toMatchObject({ code: "illegal_state" });
}

/** Makes a member of Ana while somebody else's change of the migration is being committed. */
async function makeDuring(assignment: string) {
  const key = await createMigration(["Case"]);
  const context = await createContext({ organizationId: key.organizationId, role: "admin" });
  const holder = await pool().connect();
  try {
    await holder.query("BEGIN");
    await holder.query(`UPDATE migrations SET ${assignment} WHERE id = $1`, [key.migrationId]);
    const making = execute(makeInactiveMembers, context, {
      migration_id: key.migrationId,
      users: [{ id: ANA, name: "Ana Ruiz" }],
    });
    making.catch(() => undefined);
    await untilLockWaits(1);
    await holder.query("COMMIT");
    return { key, context, making: [making] as const };
  } finally {
    holder.release();
  }
}

test("choices that somebody else has stored meanwhile stay, owners among them", async () => {
  const choices = configurationSchema.parse({ objects: {}, send_events: true, owners: { members: { [BEN]: null } } });
  const { key, context, making } = await makeDuring(`configuration = '${JSON.stringify(choices)}'`);
  const [made] = valueOf(await making[0]).data;
  const stored = valueOf(await execute(getConfiguration, context, { migration_id: key.migrationId }));
  expect(stored).toMatchObject({ send_events: true, owners: { members: { [BEN]: null, [ANA]: made?.user_id } } });
});

test("no member is made once a run has started", async () => {
  const { key, making } = await makeDuring("status = 'running'");
  await expect(making[0]).rejects.toMatchObject({
    code: "illegal_state",
    message: expect.stringContaining("The migration is running"),
  });
  const { rowCount } = await pool().query("SELECT FROM memberships WHERE organization_id = $1", [key.organizationId]);
  // Whoever made the migration, and the admin.
  expect(rowCount).toBe(2);
});

test("only admins make members, of users and not of queues, and an address in use is refused", async () => {
  const key = await createMigration(["Case"]);
  const admin = await createContext({ organizationId: key.organizationId, role: "admin" });
  const member = await createContext({ organizationId: key.organizationId, role: "member" });
  const input = (id: string) => ({ migration_id: key.migrationId, users: [{ id, name: "N" }] });
  await expect(execute(makeInactiveMembers, member, input(ANA))).rejects.toMatchObject({ code: "forbidden" });
  await expect(execute(makeInactiveMembers, admin, input(sourceId("00G", 1)))).rejects.toMatchObject({
    code: "invalid_request",
    errors: [{ pointer: "/users/0/id", code: "unknown_owner" }],
  });
  const { data } = valueOf(await execute(makeInactiveMembers, admin, input(ANA)));
  const { rows } = await pool().query<{ email: string }>("SELECT email FROM users WHERE id = $1", [member.userId]);
  const taken = { user_id: data[0]?.user_id, email: rows[0]?.email };
  await expect(execute(inviteMember, admin, taken)).rejects.toMatchObject({ code: "conflict" });
  await expect(execute(inviteMember, admin, { ...taken, user_id: member.userId })).rejects.toMatchObject({
    code: "illegal_state",
  });
});

test("no more members are made than the configuration has room for", async () => {
  const key = await createMigration(["Case"]);
  const context = await createContext({ organizationId: key.organizationId, role: "admin" });
  const full = Array.from({ length: MAX_CHOSEN - 1 }, (_, index) => [sourceId("005", index + 1), null]);
  await pool().query("UPDATE migrations SET configuration = $2 WHERE id = $1", [
    key.migrationId,
    configurationSchema.parse({ objects: {}, owners: { members: Object.fromEntries(full) } }),
  ]);
  const make = (...ids: string[]) =>
    execute(makeInactiveMembers, context, {
      migration_id: key.migrationId,
      users: ids.map((id) => ({ id, name: "Ana Ruiz" })),
    });
  await expect(make(ANA, sourceId("005", MAX_CHOSEN))).rejects.toMatchObject({
    code: "invalid_request",
    errors: [{ pointer: "/users", code: "too_long", detail: expect.stringContaining("at most 10000") }],
  });
  const { rowCount } = await pool().query("SELECT FROM memberships WHERE organization_id = $1", [key.organizationId]);
  // Whoever made the migration, and the admin.
  expect(rowCount).toBe(2);
  expect(valueOf(await make(ANA)).data).toMatchObject([{ id: ANA, created: true }]);
});

test("a user of another organization is not made a member, whatever address that has given them", async () => {
  const key = await createMigration(["Case"]);
  const context = await createContext({ organizationId: key.organizationId, role: "admin" });
  const address = `${ANA.toLowerCase()}@${key.organizationId}.invalid`;
  const stranger = await createUser(await createOrganization(), "member", address);
  const input = { migration_id: key.migrationId, users: [{ id: ANA, name: "Ana Ruiz" }] };
  await expect(execute(makeInactiveMembers, context, input)).rejects.toMatchObject({
    code: "conflict",
    message: expect.stringContaining(`No member can be made of Ana Ruiz (${ANA})`),
  });
  const { rows } = await pool().query("SELECT organization_id FROM memberships WHERE user_id = $1", [stranger]);
  expect(rows).toEqual([{ organization_id: expect.not.stringContaining(key.organizationId) }]);
});

test("an inactive member gets the address of somebody who was removed, who does not come back by it", async () => {
  const key = await createMigration(["Case"]);
  const context = await createContext({ organizationId: key.organizationId, role: "admin" });
  const input = { migration_id: key.migrationId, users: [{ id: ANA, name: "Ana Ruiz" }] };
  const [made] = valueOf(await execute(makeInactiveMembers, context, input)).data;
  const email = `${newId()}@example.com`;
  const removed = await createUser(key.organizationId, "member", email);
  const invite = () => execute(inviteMember, context, { user_id: made?.user_id, email });
  await expect(invite()).rejects.toMatchObject({ code: "conflict" });
  await execute(removeMember, context, { user_id: removed });
  expect(valueOf(await invite()).member).toMatchObject({ user_id: made?.user_id, email, status: "invited" });
  expect((await pool().query("SELECT FROM users WHERE id = $1", [removed])).rowCount).toBe(0);
});
