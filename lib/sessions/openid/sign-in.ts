import type { PoolClient } from "pg";

import { pool, transaction } from "@/lib/database/db";
import { acrossOrganizations, inOrganization } from "@/lib/database/organization-scope";
import { recordAudit } from "@/lib/security/audit";
import { countAttempt, type Throttle } from "@/lib/security/throttle";
import type { NewSession, Visit } from "@/lib/sessions/browser-sessions/session-store";
import { endAccess } from "@/lib/sessions/members/member-access";
import type { OidcIdentity } from "@/lib/sessions/openid/provider";
import { insertUser } from "@/lib/sessions/people/insert-user";
import { findLinkedUser, type FoundUser, findUserByEmail } from "@/lib/sessions/sign-in/find-user";

/**
 * Somebody with an account at the provider can be refused again and again. At most so many refusals are recorded, so
 * that they cannot fill the audit log.
 */
const AUDIT_THROTTLE: Throttle = { name: "oidc-refusal-told", limit: 10, windowSeconds: 15 * 60 };

type OidcSignInCheck = { outcome: "accepted"; session: NewSession } | { outcome: "refused"; reason: OidcRefusal };

/**
 * Decides whom the provider's identity signs in. Once an account is linked, only issuer and subject count, whatever
 * becomes of the e-mail (OpenID Connect Core 1.0 §5.7). Refusals of a known user are recorded in the audit log of their
 * organization, within {@link AUDIT_THROTTLE}.
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
    await recordAudit(pool(), { organizationId: user.organizationId, userId: user.id, address }, "sign_in.failed", {
      details,
    });
  }
  return { outcome: "refused", reason };
}

/**
 * Any constant will do. First sign-ins through the provider take turns, so that the second of two sees what the first
 * has done.
 */
const FIRST_SIGN_IN_LOCK = 7_305_012;

interface OidcSignIn {
  identity: OidcIdentity;
  /** The domains whose people become members. */
  emailDomains: readonly string[];
  visit: Visit;
}

export type OidcRefusal = "unknown" | "unverified" | "disabled" | "no_organization" | "linked_elsewhere";

type FirstOidcSignIn = { user: FoundUser } | { refusal: OidcRefusal; user: FoundUser | null };

/**
 * Finds or makes the user for an identity that no user is linked to. With a verified e-mail, that is the enabled member
 * with this e-mail, who is then linked. With a verified e-mail of one of `emailDomains`, it is a new member of the only
 * organization. An unverified e-mail identifies nobody.
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

/** Locked first, as by the use of a one-time link or a sign-in with a password at the same moment. */
const LOCK_MEMBERSHIPS =
  "SELECT organization_id FROM memberships WHERE user_id = $1 ORDER BY organization_id FOR NO KEY UPDATE";

const LINK_USER = `
  WITH link AS (DELETE FROM password_links WHERE user_id = $1),
    before AS (SELECT id, has_link_password FROM users WHERE id = $1 FOR UPDATE)
  UPDATE users u SET oidc_issuer = $2, oidc_subject = $3, has_link_password = false,
    password_hash = CASE WHEN before.has_link_password THEN NULL ELSE u.password_hash END
  FROM before WHERE u.id = before.id RETURNING before.has_link_password`;

/**
 * Replaces a link to an issuer that is no longer configured, but not one to another account at this issuer. Whoever
 * invited the address could have used the one-time link themselves, so the link ends. If the password was set by such a
 * link, it ends too, with whatever access it has given: from now on only the person whom the provider has verified is
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
  const memberships = await acrossOrganizations(() =>
    client.query<{ organization_id: string }>(LOCK_MEMBERSHIPS, [userId]),
  );
  const { rows } = await acrossOrganizations(() =>
    client.query<{ has_link_password: boolean }>(LINK_USER, [userId, issuer, subject]),
  );
  const isUnproven = rows[0]?.has_link_password === true;
  for (const { organization_id } of memberships.rows) {
    const actor = { organizationId: organization_id, userId, address };
    const { user_id: _, ...ended } = isUnproven
      ? await inOrganization(organization_id, () => endAccess(client, actor, userId))
      : { user_id: userId };
    const details = { issuer, subject, ...(isUnproven && { password_forgotten: true, ...ended }) };
    await recordAudit(client, actor, "user.linked", { details });
  }
  return { user: { ...user, passwordHash: isUnproven ? null : user.passwordHash, issuer } };
}

/** Whether it is not deleted, nor will be before the transaction ends: its deletion would leave the new user behind. */
async function isKept(client: PoolClient, organizationId: string): Promise<boolean> {
  const text = "SELECT FROM organizations WHERE id = $1 AND deleted_at IS NULL FOR SHARE";
  const { rowCount } = await inOrganization(organizationId, () => client.query(text, [organizationId]));
  return rowCount !== 0;
}

async function joinOrganization(
  client: PoolClient,
  email: string,
  { identity, emailDomains, visit: { address } }: OidcSignIn,
): Promise<FirstOidcSignIn> {
  const unknown = { refusal: "unknown", user: null } as const;
  if (!emailDomains.includes(email.slice(email.lastIndexOf("@") + 1))) return unknown;
  const { rows } = await acrossOrganizations(() =>
    client.query<{ id: string }>("SELECT id FROM organizations WHERE deleted_at IS NULL LIMIT 2"),
  );
  const [organization, another] = rows;
  if (!organization || another || !(await isKept(client, organization.id))) return unknown;
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
  await recordAudit(client, { organizationId, userId: id, address }, "user.joined", { details: { issuer, subject } });
  return { user: { id, passwordHash, organizationId, isDisabled: false, issuer } };
}
