import type { Pool, PoolClient } from "pg";

import { acrossOrganizations } from "@/lib/database/organization-scope";
import type { OidcIdentity } from "@/lib/sessions/openid/provider";

/** What signing in needs to know of a user. */
export interface FoundUser {
  id: string;
  /** Null for somebody who signs in only through the provider. */
  passwordHash: string | null;
  /** Whether they are disabled in that organization; if so, in all of theirs. */
  isDisabled: boolean;
  /**
   * The organization that they sign in to: the one that they joined first among those in which they are enabled. Null
   * if they belong to none.
   */
  organizationId: string | null;
  /** The issuer of the linked account, if any. */
  issuer: string | null;
}

const SELECT = `
  SELECT u.id, u.password_hash AS "passwordHash", u.oidc_issuer AS issuer,
    m.organization_id AS "organizationId", m.disabled_at IS NOT NULL AS "isDisabled"
  FROM users u LEFT JOIN LATERAL (
    SELECT organization_id, disabled_at FROM memberships WHERE user_id = u.id
    ORDER BY disabled_at IS NOT NULL, created_at, organization_id LIMIT 1) m ON true`;

/** The user with this e-mail here. At the provider it may belong to somebody else. */
export async function findUserByEmail(database: Pool | PoolClient, email: string): Promise<FoundUser | null> {
  const { rows } = await acrossOrganizations(() => database.query<FoundUser>(`${SELECT} WHERE u.email = $1`, [email]));
  return rows[0] ?? null;
}

/** The user who is linked to this account at the provider. */
export async function findLinkedUser(
  database: Pool | PoolClient,
  { issuer, subject }: OidcIdentity,
): Promise<FoundUser | null> {
  const text = `${SELECT} WHERE u.oidc_issuer = $1 AND u.oidc_subject = $2`;
  const { rows } = await acrossOrganizations(() => database.query<FoundUser>(text, [issuer, subject]));
  return rows[0] ?? null;
}
