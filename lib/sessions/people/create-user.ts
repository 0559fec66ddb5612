import type { PoolClient } from "pg";

import { prisma, transaction } from "@/lib/database/db";
import { postgresCode, UNIQUE_VIOLATION } from "@/lib/database/error-codes";
import { acrossOrganizations, inOrganization } from "@/lib/database/organization-scope";
import { AppError } from "@/lib/errors";
import type { role } from "@/lib/generated/prisma/enums";
import { newId } from "@/lib/ids";
import { parseInput } from "@/lib/input/parse-input";
import { hashPassword } from "@/lib/sessions/passwords/password";
import { assertStrongPassword } from "@/lib/sessions/passwords/password-strength";
import { type Person, person } from "@/lib/sessions/people/person";

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
  return new AppError("conflict", "Somebody with this e-mail address can already sign in here. Use another address.", {
    errors: [{ pointer: "/email", code: "taken", detail: "This e-mail address is already in use." }],
  });
}

/**
 * Adds a user to an organization and returns the user's id. Throws `invalid_request` with a fault per field, or
 * `conflict` if the e-mail is in use.
 */
export async function createUser(organizationId: string, input: Person, role: role): Promise<string> {
  const { email, name, password } = parseInput(person, input, "Some of the fields are not valid; see `errors`.");
  const organization = await inOrganization(organizationId, () =>
    prisma().organizations.findFirstOrThrow({ where: { id: organizationId }, select: { name: true } }),
  );
  assertStrongPassword(password, { email, name, organization: organization.name }, "/password");
  const passwordHash = await hashPassword(password);
  return transaction((client) => insertUser(client, { organizationId, email, name, passwordHash, role }));
}
