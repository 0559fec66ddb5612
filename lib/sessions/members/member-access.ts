import type { PoolClient } from "pg";

import type { Context } from "@/lib/context";
import { AppError } from "@/lib/errors";
import type { role } from "@/lib/generated/prisma/enums";
import { idOrNull } from "@/lib/ids";
import { oidcProvider } from "@/lib/sessions/openid/provider";
import type { EndedAccess } from "@/lib/sessions/schemas";
import { endWebhooksOfApp } from "@/lib/webhooks/app-access";

/** A member, locked until the transaction ends. */
export interface LockedMember {
  user_id: string;
  role: role;
  is_disabled: boolean;
  email: string;
  name: string;
  /** Whether no other admin could sign in. */
  isLastAdmin: boolean;
}

/**
 * Locks all admins and the member in question, always in the same order, so that two admins who change each other take
 * turns.
 */
const LOCK_MEMBERS = `
  SELECT m.user_id, m.role, m.disabled_at IS NOT NULL AS is_disabled, u.email, u.name,
    m.disabled_at IS NULL AND (u.password_hash IS NOT NULL OR u.oidc_issuer = $3) AS can_sign_in
  FROM memberships m JOIN users u ON u.id = m.user_id
  WHERE m.organization_id = $1 AND (m.role = 'admin' OR m.user_id = $2)
  ORDER BY m.user_id FOR NO KEY UPDATE OF m`;

type Row = Omit<LockedMember, "isLastAdmin"> & { can_sign_in: boolean };

/**
 * Locks a member and every admin until the transaction ends. Throws `forbidden` if the acting person is no admin any
 * more once the lock is taken, and `not_found`, also for a member of another organization.
 */
export async function lockMember(
  client: PoolClient,
  { organizationId, userId }: Context,
  id: string,
): Promise<LockedMember> {
  const target = idOrNull(id);
  const { rows } = await client.query<Row>(LOCK_MEMBERS, [organizationId, target, oidcProvider()?.issuer ?? null]);
  const admins = rows.filter(({ role }) => role === "admin");
  if (!admins.some((admin) => admin.user_id === userId && !admin.is_disabled)) {
    throw new AppError("forbidden", "Only admins of the organization may do this, and you are no admin any more.");
  }
  const found = rows.find(({ user_id }) => user_id === target);
  if (!found) throw new AppError("not_found", "There is no member with this id in your organization.");
  // The acting admin is signed in, so they can sign in.
  const others = admins.filter(({ user_id, can_sign_in }) => user_id !== target && (can_sign_in || user_id === userId));
  return { ...found, isLastAdmin: others.length === 0 };
}

/**
 * Codes and tokens are deleted with the grants. They are counted as they were before: a statement does not see its own
 * deletions.
 */
const END_ACCESS = `
  WITH ended AS (DELETE FROM sessions WHERE organization_id = $1 AND user_id = $2 RETURNING expires_at),
    link AS (DELETE FROM password_links WHERE organization_id = $1 AND (user_id = $2 OR created_by_id = $2)),
    grants AS (DELETE FROM oauth_grants WHERE organization_id = $1 AND user_id = $2 RETURNING id)
  SELECT (SELECT count(*)::int FROM ended WHERE expires_at > now()) AS sessions_ended,
    (SELECT count(*)::int FROM grants g JOIN oauth_codes c ON c.grant_id = g.id JOIN oauth_tokens t ON t.code_id = c.id
      WHERE t.revoked_at IS NULL AND t.expires_at > now()) AS tokens_stopped`;

/** From the context: the organization, and who acts. */
type Actor = Pick<Context, "organizationId" | "userId" | "address">;

/**
 * Ends every access of a member, and every access that the member has given: sessions, grants of apps with the webhooks
 * that they set up, the member's one-time link, and links that the member has made for others.
 */
export async function endAccess(client: PoolClient, context: Actor, userId: string): Promise<EndedAccess> {
  const { rows } = await client.query<Omit<EndedAccess, "user_id">>(END_ACCESS, [context.organizationId, userId]);
  const { sessions_ended = 0, tokens_stopped = 0 } = rows[0] ?? {};
  return { user_id: userId, sessions_ended, tokens_stopped, ...(await endWebhooksOfApps(client, context, userId)) };
}

/**
 * Ends what a former admin has set up for others: unused one-time links, and webhooks of apps, which only an admin's
 * app can create.
 */
export async function endAdminAccess(
  client: PoolClient,
  context: Context,
  userId: string,
): Promise<Pick<EndedAccess, "webhooks_switched_off">> {
  await client.query("DELETE FROM password_links WHERE organization_id = $1 AND created_by_id = $2", [
    context.organizationId,
    userId,
  ]);
  return endWebhooksOfApps(client, context, userId);
}

async function endWebhooksOfApps(
  client: PoolClient,
  context: Actor,
  userId: string,
): Promise<{ webhooks_switched_off: number }> {
  const ended = await endWebhooksOfApp(client, context, { userId });
  return { webhooks_switched_off: "webhooks_switched_off" in ended ? ended.webhooks_switched_off : 0 };
}
