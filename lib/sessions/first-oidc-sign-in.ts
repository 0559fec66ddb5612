import type { PoolClient } from "pg";

import { recordAudit } from "@/lib/audit";
import { transaction } from "@/lib/db";
import { findLinkedUser, findUserByEmail, type FoundUser } from "@/lib/sessions/find-user";
import { insertUser } from "@/lib/sessions/insert-user";
import type { OidcIdentity } from "@/lib/sessions/oidc-identity";

/** Any constant will do; first sign-ins through the provider take it in turn, so that of two at once the second finds what the first has done. */
const FIRST_SIGN_IN_LOCK = 7_305_012;

export interface OidcSignIn {
  identity: OidcIdentity;
  /** The domains whose people may become members. */
  emailDomains: readonly string[];
  /** The network address that it comes from. */
  address: string;
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

/** A link to an issuer that is no longer configured is worth nothing, so it gives way; one to another account at this issuer does not. */
async function linkUser(client: PoolClient, user: FoundUser, { identity, address }: OidcSignIn): Promise<FirstOidcSignIn> {
  const { issuer, subject } = identity;
  const { id: userId, organizationId } = user;
  if (user.isDisabled) return { refusal: "disabled", user };
  if (organizationId === null) return { refusal: "no_organization", user };
  if (user.issuer === issuer) return { refusal: "linked_elsewhere", user };
  await client.query("UPDATE users SET oidc_issuer = $2, oidc_subject = $3 WHERE id = $1", [userId, issuer, subject]);
  await recordAudit(client, { organizationId, userId, address, action: "user.linked", details: { issuer, subject } });
  return { user: { ...user, issuer } };
}

async function join(client: PoolClient, email: string, { identity, emailDomains, address }: OidcSignIn): Promise<FirstOidcSignIn> {
  const refused = { refusal: "unknown", user: null } as const;
  if (!emailDomains.includes(email.slice(email.lastIndexOf("@") + 1))) return refused;
  const { rows } = await client.query<{ id: string }>("SELECT id FROM organizations LIMIT 2");
  const [organization, another] = rows;
  if (!organization || another) return refused;
  const { issuer, subject, name } = identity;
  const organizationId = organization.id;
  const passwordHash = null;
  const id = await insertUser(client, { organizationId, role: "member", email, name, passwordHash, oidc: { issuer, subject } });
  await recordAudit(client, { organizationId, userId: id, address, action: "user.joined", details: { issuer, subject } });
  return { user: { id, passwordHash, organizationId, isDisabled: false, issuer } };
}
