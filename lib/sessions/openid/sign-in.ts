import type { PoolClient } from "pg";

import { pool, transaction } from "@/lib/database/db";
import { acrossOrganizations, inOrganization } from "@/lib/database/organization-scope";
import { recordAudit } from "@/lib/security/audit";
import { countAttempt, type Throttle } from "@/lib/security/throttle";
import type { NewSession, Visit } from "@/lib/sessions/browser-sessions/session-store";
import { endAccess } from "@/lib/sessions/members/member-access";
import type { OidcIdentity } from "@/lib/sessions/openid/identity";
import { insertUser } from "@/lib/sessions/people/create-user";
import { findLinkedUser, type FoundUser, findUserByEmail } from "@/lib/sessions/sign-in/find-user";

/**
 * Whoever has an account at the provider can be refused as somebody else for ever: told a few times, it does not fill
 * the audit log.
 */
const AUDIT_THROTTLE: Throttle = { name: "oidc-refusal-told", limit: 10, windowSeconds: 15 * 60 };

type OidcSignInCheck = { outcome: "accepted"; session: NewSession } | { outcome: "refused"; reason: OidcRefusal };

/**
 * Who somebody is that the provider has vouched for. Once linked, it is issuer and subject that count, whatever becomes
 * of the e-mail (OpenID Connect Core 1.0 §5.7). Refusals of somebody known here are told in the audit log of their
 * organization, within bounds.
 */
export async function checkOidcSignIn(signIn: OidcSignIn): Promise<OidcSignInCheck> {
  const {
    identity,
    visit: { address, browser },
  } = signIn;
  const linked = await findLinkedUser(pool(), identity);
  const found = linked ? { user: linked } : await firstOidcSignIn(signIn);
  if ("refusal" in found) return refused(found.refusal, found.user, address);
  const { user } = found;
  if (user.isDisabled) return refused("disabled", user, address);
  if (user.organizationId === null) return refused("no_organization", user, address);
  return {
    outcome: "accepted",
    session: { organizationId: user.organizationId, userId: user.id, address, browser, method: "oidc" },
  };
}

async function refused(reason: OidcRefusal, user: FoundUser | null, address: string): Promise<OidcSignInCheck> {
  if (user?.organizationId && (await countAttempt(AUDIT_THROTTLE, `${user.id} ${reason}`)) === 0) {
    const details = { method: "oidc", reason };
    await recordAudit(pool(), {
      organizationId: user.organizationId,
      action: "sign_in.failed",
      address,
      userId: user.id,
      details,
    });
  }
  return { outcome: "refused", reason };
}

/**
 * Any constant will do; first sign-ins through the provider take it in turn, so that of two at once the second finds
 * what the first has done.
 */
const FIRST_SIGN_IN_LOCK = 7_305_012;

interface OidcSignIn {
  identity: OidcIdentity;
  /** The domains whose people may become members. */
  emailDomains: readonly string[];
  visit: Visit;
}

export type OidcRefusal = "unknown" | "unverified" | "disabled" | "no_organization" | "linked_elsewhere";

type FirstOidcSignIn = { user: FoundUser } | { refusal: OidcRefusal; user: FoundUser | null };

/**
 * Who somebody is that no user is linked to yet: the enabled member with the e-mail that the provider has verified, who
 * is linked from now on; else, with an e-mail of one of `emailDomains`, a new member of the only organization. An
 * e-mail that is not verified is nobody's.
 */
function firstOidcSignIn(signIn: OidcSignIn): Promise<FirstOidcSignIn> {
  return transaction(async (client) => {
    await client.query("SELECT pg_advisory_xact_lock($1)", [FIRST_SIGN_IN_LOCK]);
    const linked = await findLinkedUser(client, signIn.identity);
    if (linked) return { user: linked };
    const { email, isEmailVerified } = signIn.identity;
    const user = email === null ? null : await findUserByEmail(client, email);
    if (email === null || !isEmailVerified) return { refusal: "unverified", user };
    return user ? linkUser(client, user, signIn) : joinOrganization(client, email, signIn);
  });
}

/** Held first, as by whoever uses a one-time link or signs in with a password at the same moment. */
const LOCK_MEMBERSHIPS =
  "SELECT organization_id FROM memberships WHERE user_id = $1 ORDER BY organization_id FOR NO KEY UPDATE";

const LINK_USER = `
  WITH link AS (DELETE FROM password_links WHERE user_id = $1),
    before AS (SELECT id, has_link_password FROM users WHERE id = $1 FOR UPDATE)
  UPDATE users u SET oidc_issuer = $2, oidc_subject = $3, has_link_password = false,
    password_hash = CASE WHEN before.has_link_password THEN NULL ELSE u.password_hash END
  FROM before WHERE u.id = before.id RETURNING before.has_link_password`;

/**
 * A link to an issuer that is no longer configured is worth nothing, so it gives way; one to another account at this
 * issuer does not.
 *
 * Whoever invited the address could have used the one-time link themselves. So the link ends, and with a password that
 * was set by one goes whatever that password has let in: from here on only the person whom the provider has verified is
 * in.
 */
async function linkUser(
  client: PoolClient,
  user: FoundUser,
  { identity, visit: { address } }: OidcSignIn,
): Promise<FirstOidcSignIn> {
  const { issuer, subject } = identity;
  const { id: userId, organizationId } = user;
  if (user.isDisabled) return { refusal: "disabled", user };
  if (organizationId === null) return { refusal: "no_organization", user };
  if (user.issuer === issuer) return { refusal: "linked_elsewhere", user };
  const held = await acrossOrganizations(() => client.query<{ organization_id: string }>(LOCK_MEMBERSHIPS, [userId]));
  const { rows } = await acrossOrganizations(() =>
    client.query<{ has_link_password: boolean }>(LINK_USER, [userId, issuer, subject]),
  );
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

async function joinOrganization(
  client: PoolClient,
  email: string,
  { identity, emailDomains, visit: { address } }: OidcSignIn,
): Promise<FirstOidcSignIn> {
  const refused = { refusal: "unknown", user: null } as const;
  if (!emailDomains.includes(email.slice(email.lastIndexOf("@") + 1))) return refused;
  const { rows } = await acrossOrganizations(() =>
    client.query<{ id: string }>("SELECT id FROM organizations LIMIT 2"),
  );
  const [organization, another] = rows;
  if (!organization || another) return refused;
  const { issuer, subject, name } = identity;
  const organizationId = organization.id;
  const passwordHash = null;
  const id = await insertUser(client, {
    organizationId,
    role: "member",
    email,
    name,
    passwordHash,
    oidc: { issuer, subject },
  });
  await recordAudit(client, {
    organizationId,
    userId: id,
    address,
    action: "user.joined",
    details: { issuer, subject },
  });
  return { user: { id, passwordHash, organizationId, isDisabled: false, issuer } };
}
