import type { Pool, PoolClient } from "pg";

import type { OidcIdentity } from "@/lib/sessions/oidc-identity";

/** A user as far as signing in must know. */
export interface FoundUser {
  id: string;
  /** Null for somebody who signs in through the provider alone. */
  passwordHash: string | null;
  isDisabled: boolean;
  /** The organization that they sign in to: of several the one that they joined first. Null when they belong to none. */
  organizationId: string | null;
  /** The issuer of the account that they are linked to. */
  issuer: string | null;
}

const SELECT = `
  SELECT u.id, u.password_hash AS "passwordHash", u.disabled_at IS NOT NULL AS "isDisabled", u.oidc_issuer AS issuer,
    (SELECT m.organization_id FROM memberships m WHERE m.user_id = u.id
     ORDER BY m.created_at, m.organization_id LIMIT 1) AS "organizationId"
  FROM users u`;

/** The user who has this e-mail here, whoever has it at the provider. */
export async function findUserByEmail(database: Pool | PoolClient, email: string): Promise<FoundUser | null> {
  const { rows } = await database.query<FoundUser>(`${SELECT} WHERE u.email = $1`, [email]);
  return rows[0] ?? null;
}

/** The user who is linked to this very account at the provider. */
export async function findLinkedUser(database: Pool | PoolClient, { issuer, subject }: OidcIdentity): Promise<FoundUser | null> {
  const { rows } = await database.query<FoundUser>(`${SELECT} WHERE u.oidc_issuer = $1 AND u.oidc_subject = $2`, [issuer, subject]);
  return rows[0] ?? null;
}
