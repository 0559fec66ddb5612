import type { PoolClient } from "pg";

import { recordAudit } from "@/lib/audit";
import { transaction } from "@/lib/db";
import { acrossOrganizations, inOrganization } from "@/lib/organization-scope";
import { findLinkedUser, findUserByEmail, type FoundUser } from "@/lib/sessions/find-user";
import { insertUser } from "@/lib/sessions/insert-user";
import { endAccess } from "@/lib/sessions/members/lock-member";
import type { OidcIdentity } from "@/lib/sessions/oidc-identity";
import type { Visit } from "@/lib/sessions/start-session";

/** Any constant will do; first sign-ins through the provider take it in turn, so that of two at once the second finds what the first has done. */
const FIRST_SIGN_IN_LOCK = 7_305_012;

export interface OidcSignIn {
  identity: OidcIdentity;
  /** The domains whose people may become members. */
  emailDomains: readonly string[];
  visit: Visit;
}

export type OidcRefusal = "unknown" | "unverified" | "disabled" | "no_organization" | "linked_elsewhere";

export type FirstOidcSignIn = { user: FoundUser } | { refusal: OidcRefusal; user: FoundUser | null };

/**
 * Who somebody is that no user is linked to yet: the enabled member with the e-mail that the provider has verified, who is linked from now on;
 * else, with an e-mail of one of `emailDomains`, a new member of the only organization. An e-mail that is not verified is nobody's.
 */
export function firstOidcSignIn(signIn: OidcSignIn): Promise<FirstOidcSignIn> {
  return transaction(async (client) => {
    await client.query("SELECT pg_advisory_xact_lock($1)", [FIRST_SIGN_IN_LOCK]);
    const linked = await findLinkedUser(client, signIn.identity);
    if (linked) return { user: linked };
    const { email, isEmailVerified } = signIn.identity;
    const user = email === null ? null : await findUserByEmail(client, email);
    if (email === null || !isEmailVerified) return { refusal: "unverified", user };
    return user ? linkUser(client, user, signIn) : join(client, email, signIn);
  });
}

/** Held first, as by whoever uses a one-time link or signs in with a password at the same moment. */
const HOLD = "SELECT organization_id FROM memberships WHERE user_id = $1 ORDER BY organization_id FOR NO KEY UPDATE";

const LINK = `
  WITH link AS (DELETE FROM password_links WHERE user_id = $1),
    before AS (SELECT id, has_link_password FROM users WHERE id = $1 FOR UPDATE)
  UPDATE users u SET oidc_issuer = $2, oidc_subject = $3, has_link_password = false,
    password_hash = CASE WHEN before.has_link_password THEN NULL ELSE u.password_hash END
  FROM before WHERE u.id = before.id RETURNING before.has_link_password`;

/**
 * A link to an issuer that is no longer configured is worth nothing, so it gives way; one to another account at this issuer does not.
 *
 * Whoever invited the address could have used the one-time link themselves. So the link ends, and with a password that was set by one goes whatever that
 * password has let in: from here on only the person whom the provider has verified is in.
 */
async function linkUser(client: PoolClient, user: FoundUser, { identity, visit: { address } }: OidcSignIn): Promise<FirstOidcSignIn> {
  const { issuer, subject } = identity;
  const { id: userId, organizationId } = user;
  if (user.isDisabled) return { refusal: "disabled", user };
  if (organizationId === null) return { refusal: "no_organization", user };
  if (user.issuer === issuer) return { refusal: "linked_elsewhere", user };
  const held = await acrossOrganizations(() => client.query<{ organization_id: string }>(HOLD, [userId]));
  const { rows } = await acrossOrganizations(() => client.query<{ has_link_password: boolean }>(LINK, [userId, issuer, subject]));
  const isUnproven = rows[0]?.has_link_password === true;
  for (const { organization_id } of held.rows) {
    const asking = { organizationId: organization_id, userId, address };
    const { user_id: _, ...ended } = isUnproven
      ? await inOrganization(organization_id, () => endAccess(client, asking, userId))
      : { user_id: userId };
    const details = { issuer, subject, ...(isUnproven && { password_forgotten: true, ...ended }) };
    await recordAudit(client, { ...asking, action: "user.linked", details });
  }
  return { user: { ...user, passwordHash: isUnproven ? null : user.passwordHash, issuer } };
}

async function join(client: PoolClient, email: string, { identity, emailDomains, visit: { address } }: OidcSignIn): Promise<FirstOidcSignIn> {
  const refused = { refusal: "unknown", user: null } as const;
  if (!emailDomains.includes(email.slice(email.lastIndexOf("@") + 1))) return refused;
  const { rows } = await acrossOrganizations(() => client.query<{ id: string }>("SELECT id FROM organizations LIMIT 2"));
  const [organization, another] = rows;
  if (!organization || another) return refused;
  const { issuer, subject, name } = identity;
  const organizationId = organization.id;
  const passwordHash = null;
  const id = await insertUser(client, { organizationId, role: "member", email, name, passwordHash, oidc: { issuer, subject } });
  await recordAudit(client, { organizationId, userId: id, address, action: "user.joined", details: { issuer, subject } });
  return { user: { id, passwordHash, organizationId, isDisabled: false, issuer } };
}
