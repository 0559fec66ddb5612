import type { PoolClient } from "pg";

import { postgresCode, UNIQUE_VIOLATION } from "@/lib/database/error-codes";
import { acrossOrganizations } from "@/lib/database/organization-scope";
import { AppError } from "@/lib/errors";
import type { role } from "@/lib/generated/prisma/enums";
import { newId } from "@/lib/ids";

interface NewUser {
  organizationId: string;
  email: string;
  name: string;
  /** Null for somebody who signs in only through the provider, or has not set a password yet. */
  passwordHash: string | null;
  role: role;
  /** The account at the OpenID provider that the user is linked to. */
  oidc?: { issuer: string; subject: string };
}

const INSERT = `
  WITH added AS (
    INSERT INTO users (id, email, name, password_hash, oidc_issuer, oidc_subject, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id, created_at
  )
  INSERT INTO memberships (user_id, organization_id, role, created_at) SELECT id, $8, $9, created_at FROM added`;

/**
 * Stores a user and the membership within the caller's transaction, and returns the user's id. Throws `conflict` if the
 * e-mail is in use.
 */
export async function insertUser(client: PoolClient, user: NewUser): Promise<string> {
  const { organizationId, email, name, passwordHash, role, oidc } = user;
  const id = newId();
  try {
    // Until the membership exists, the user belongs to no organization.
    const values = [id, email, name, passwordHash, oidc?.issuer, oidc?.subject, new Date(), organizationId, role];
    await acrossOrganizations(() => client.query(INSERT, values));
  } catch (error) {
    throw postgresCode(error) === UNIQUE_VIOLATION ? emailInUse() : error;
  }
  return id;
}

export function emailInUse(): AppError {
  return new AppError("conflict", "Somebody here has this e-mail address already. Use another address.", {
    errors: [{ pointer: "/email", code: "taken", detail: "This e-mail address is already in use." }],
  });
}
