import type { PoolClient } from "pg";
import { z } from "zod";

import type { Context } from "@/lib/context";
import { prisma, transaction } from "@/lib/database/db";
import { acrossOrganizations } from "@/lib/database/organization-scope";
import { role } from "@/lib/generated/prisma/enums";
import { newId } from "@/lib/ids";
import { defineOperation } from "@/lib/operation";
import { assertAttemptAllowed, type Throttle } from "@/lib/security/throttle";
import { recordMemberChange } from "@/lib/sessions/members/change-member";
import { memberView } from "@/lib/sessions/members/list-members";
import { endAccess, lockMember } from "@/lib/sessions/members/member-access";
import { insertPasswordLink } from "@/lib/sessions/members/password-link";
import { insertUser, emailInUse } from "@/lib/sessions/people/insert-user";
import { newEmail, personName } from "@/lib/sessions/people/person";
import { member, passwordLink } from "@/lib/sessions/schemas";

/** Each attempt reveals whether an e-mail address can already sign in to this service, in any organization. */
const PER_ORGANIZATION: Throttle = { name: "add-member", limit: 100, windowSeconds: 3600 };

/**
 * Adds a person who cannot sign in anywhere yet. Somebody whom this organization has removed becomes the same user
 * again, so that their records have their owner back; in another organization they do not. The former password and the
 * former link to the OpenID provider are not restored, since the address may be another person's by now.
 */
export const addMember = defineOperation({
  name: "add_member",
  summary: "Add a member, with a one-time link by which they set a password.",
  scopes: [],
  people: "admins",
  status: 201,
  input: z.strictObject({ name: personName, email: newEmail, role: z.enum(role) }),
  output: z.object({ member, link: passwordLink }),
  async run(context, input) {
    const { organizationId, userId } = context;
    await assertMayAdd(context);
    return transaction(async (client) => {
      await lockMember(client, context, userId);
      const user_id = await joinOrganization(client, context, input);
      await recordMemberChange(client, context, "member.added", { user_id, email: input.email }, { role: input.role });
      const link = await insertPasswordLink(client, context, user_id);
      return { member: await memberView(client, organizationId, user_id), link };
    });
  },
});

/** Throws `too_many_requests` where an organization has tried too many addresses. */
export async function assertMayAdd({ organizationId }: Context): Promise<void> {
  await assertAttemptAllowed(PER_ORGANIZATION, organizationId, "Too many people were added.");
}

interface Newcomer {
  name: string;
  email: string;
  role: role;
}

/**
 * The id of the user whom this organization has removed under this address. The audit log never changes, and only the
 * organization can read its rows.
 */
const FORMER_ID = `
  SELECT details ->> 'member_id' AS id FROM audit_events
  WHERE organization_id = $1 AND action = 'member.removed' AND details ->> 'member_email' = $2
  ORDER BY id DESC LIMIT 1`;

const RESET_USER = `
  UPDATE users SET id = $2, name = $3, password_hash = NULL, has_link_password = false,
    oidc_issuer = NULL, oidc_subject = NULL
  WHERE id = $1`;

/** Stores the new member and returns the user's id. A user without a membership belongs to no organization. */
async function joinOrganization(
  client: PoolClient,
  context: Context,
  { name, email, role }: Newcomer,
): Promise<string> {
  const { organizationId } = context;
  const { rows } = await acrossOrganizations(() =>
    client.query<{ id: string }>("SELECT id FROM users WHERE email = $1 FOR UPDATE", [email]),
  );
  const [former] = rows;
  if (!former) return insertUser(client, { organizationId, email, name, role, passwordHash: null });
  const { rowCount } = await acrossOrganizations(() =>
    client.query("SELECT FROM memberships WHERE user_id = $1", [former.id]),
  );
  if (rowCount !== 0) throw emailInUse();
  const known = await client.query<{ id: string }>(FORMER_ID, [organizationId, email]);
  const id = known.rows[0]?.id ?? newId();
  await acrossOrganizations(() => client.query(RESET_USER, [former.id, id, name]));
  await prisma().memberships.create({
    data: { organization_id: organizationId, user_id: id, role, created_at: new Date() },
  });
  await endAccess(client, context, id);
  return id;
}
