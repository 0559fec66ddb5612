import type { PoolClient } from "pg";
import { z } from "zod";

import type { Context } from "@/lib/context";
import { prisma, transaction } from "@/lib/database/db";
import { acrossOrganizations } from "@/lib/database/organization-scope";
import { AppError } from "@/lib/errors";
import { role } from "@/lib/generated/prisma/enums";
import { pathId } from "@/lib/input/ids-and-times";
import { defineOperation } from "@/lib/operation";
import { type AuditAction, recordAudit } from "@/lib/security/audit";
import { memberView } from "@/lib/sessions/members/list-members";
import { endAccess, endAdminAccess, type LockedMember, lockMember } from "@/lib/sessions/members/member-access";
import { endedAccess, member } from "@/lib/sessions/schemas";
import { assertStorageQuota } from "@/lib/storage-quota";

/** Records a change of a member. Names are copied, as in every audit event. */
export function recordMemberChange(
  client: PoolClient,
  context: Context,
  action: AuditAction,
  { user_id, email }: Pick<LockedMember, "user_id" | "email">,
  details: Record<string, unknown> = {},
): Promise<void> {
  return recordAudit(client, context, action, { details: { member_id: user_id, member_email: email, ...details } });
}

/**
 * Changes the role of a member, disables or enables one. A disabled member keeps no access, and starts without any when
 * enabled again. Access that was granted while the member was being disabled ends at the latest when they are enabled.
 * What takes something away is possible when the storage is full; what gives it back is not, so neither goes on without
 * end.
 */
export const updateMember = defineOperation({
  name: "update_member",
  summary: "Change the role of a member, or disable or enable one.",
  scopes: [],
  people: "admins",
  input: z
    .strictObject({ user_id: pathId("member"), role: z.enum(role).optional(), is_disabled: z.boolean().optional() })
    .refine(
      (given) => given.role !== undefined || given.is_disabled !== undefined,
      "Say what to change: `role` or `is_disabled`.",
    ),
  output: member,
  async run(context, { user_id, role, is_disabled }) {
    const { organizationId } = context;
    if (role === "admin" || is_disabled === false) await assertStorageQuota(organizationId);
    return transaction(async (client) => {
      const before = await lockMember(client, context, user_id);
      if (role !== undefined && role !== before.role) await changeRole(client, context, before, role);
      if (is_disabled !== undefined && is_disabled !== before.is_disabled)
        await setDisabled(client, context, before, is_disabled);
      return memberView(client, organizationId, before.user_id);
    });
  },
});

/** The key of a membership. */
function membershipOf({ organizationId }: Context, { user_id }: LockedMember) {
  return { organization_id_user_id: { organization_id: organizationId, user_id } };
}

async function changeRole(client: PoolClient, context: Context, before: LockedMember, role: role): Promise<void> {
  if (role !== "admin" && before.isLastAdmin) throw lastAdmin();
  await prisma().memberships.update({ where: membershipOf(context, before), data: { role } });
  // Who is no admin any more must not go on letting people or apps in.
  const ended = role === "admin" ? {} : await endAdminAccess(client, context, before.user_id);
  await recordMemberChange(client, context, "member.role_changed", before, {
    before: before.role,
    after: role,
    ...ended,
  });
}

async function setDisabled(
  client: PoolClient,
  context: Context,
  before: LockedMember,
  isDisabled: boolean,
): Promise<void> {
  assertNotOneself(context, before, "disable");
  const data = { disabled_at: isDisabled ? new Date() : null };
  await prisma().memberships.update({ where: membershipOf(context, before), data });
  const { user_id: _, ...ended } = await endAccess(client, context, before.user_id);
  await recordMemberChange(
    client,
    context,
    isDisabled ? "member.disabled" : "member.enabled",
    before,
    isDisabled ? ended : {},
  );
}

/**
 * The password is deleted. A link to the OpenID provider stays, so that the provider's word cannot bring the member
 * back.
 */
const DELETE_PASSWORD = `
  UPDATE users SET password_hash = NULL WHERE id = $1
  AND NOT EXISTS (SELECT FROM memberships WHERE user_id = $1 AND organization_id <> $2)`;

/**
 * What they have created and the records that they own stay, with their user id. The audit log tells whose it was.
 * Adding them again gives them the same id.
 */
export const removeMember = defineOperation({
  name: "remove_member",
  summary: "Remove a member: from the next request on none of their sessions and access tokens works.",
  scopes: [],
  people: "admins",
  input: z.strictObject({ user_id: pathId("member") }),
  output: endedAccess,
  run(context, { user_id }) {
    const { organizationId } = context;
    return transaction(async (client) => {
      const found = await lockMember(client, context, user_id);
      assertNotOneself(context, found, "remove");
      // Across organizations, since the scope of this one would hide memberships elsewhere.
      await acrossOrganizations(() => client.query(DELETE_PASSWORD, [found.user_id, organizationId]));
      const ended = await endAccess(client, context, found.user_id);
      await prisma().memberships.delete({ where: membershipOf(context, found) });
      const { user_id: _, ...counts } = ended;
      const details = { member_name: found.name, role: found.role, ...counts };
      await recordMemberChange(client, context, "member.removed", found, details);
      return ended;
    });
  },
});

export const endMemberSessions = defineOperation({
  name: "end_member_sessions",
  summary:
    "Sign a member out everywhere: from the next request on none of their sessions works. What they have allowed " +
    "apps stays.",
  scopes: [],
  people: "admins",
  input: z.strictObject({ user_id: pathId("member") }),
  output: z.object({ user_id: z.uuidv7(), sessions_ended: z.int() }),
  run(context, { user_id }) {
    const { organizationId } = context;
    return transaction(async (client) => {
      const found = await lockMember(client, context, user_id);
      assertNotOneself(context, found, "sign out");
      const values = [organizationId, found.user_id];
      const { rowCount } = await client.query(
        "DELETE FROM sessions WHERE organization_id = $1 AND user_id = $2 AND expires_at > now()",
        values,
      );
      const sessions_ended = rowCount ?? 0;
      if (sessions_ended > 0)
        await recordMemberChange(client, context, "member.sessions_ended", found, { sessions_ended });
      return { user_id: found.user_id, sessions_ended };
    });
  },
});

function assertNotOneself({ userId }: Context, { user_id }: LockedMember, what: string): void {
  if (user_id === userId)
    throw new AppError(
      "illegal_state",
      `You cannot ${what} yourself here. Ask another admin, or sign out your own browsers under “Your account”.`,
    );
}

function lastAdmin(): AppError {
  return new AppError(
    "illegal_state",
    "The organization needs an admin who can sign in. Make somebody else an admin first, who has signed in before.",
  );
}
