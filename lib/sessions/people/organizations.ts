import type { Pool, PoolClient } from "pg";

import { pool, prisma, transaction } from "@/lib/database/db";
import { acrossOrganizations, inOrganization } from "@/lib/database/organization-scope";
import { AppError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { parseInput } from "@/lib/input/parse-input";
import { hashPassword } from "@/lib/sessions/passwords/password";
import { assertStrongPassword } from "@/lib/sessions/passwords/password-strength";
import { insertUser } from "@/lib/sessions/people/insert-user";
import { type NewOrganization, organization } from "@/lib/sessions/people/person";

/**
 * Creates an organization and its first admin. Throws `invalid_request` with a fault per field, or `conflict` if the
 * admin's e-mail is in use.
 */
export async function createOrganization(input: NewOrganization): Promise<CreatedOrganization> {
  const { name, admin } = await readOrganization(input);
  return transaction((client) => insertOrganization(client, name, admin));
}

/** Any constant will do; it makes first visits take turns. */
const SETUP_LOCK_KEY = 7_305_011;

/**
 * Creates the organization of the first visit and its admin, once. Of visits that race, one wins. Throws
 * `illegal_state` ever after, and `invalid_request` with a fault per field.
 */
export async function createFirstOrganization(input: NewOrganization): Promise<CreatedOrganization> {
  if (await organizationExists()) throw alreadySetUp();
  const { name, admin } = await readOrganization(input);
  return transaction(async (client) => {
    await client.query("SELECT pg_advisory_xact_lock($1)", [SETUP_LOCK_KEY]);
    if (await organizationExists(client)) throw alreadySetUp();
    return insertOrganization(client, name, admin);
  });
}

function alreadySetUp(): AppError {
  return new AppError("illegal_state", "This service has already been set up. Sign in instead.");
}

interface Admin {
  email: string;
  name: string;
  passwordHash: string;
}

/** Checks what was entered, and hashes the password. Throws `invalid_request` with a fault per field. */
async function readOrganization(input: NewOrganization): Promise<{ name: string; admin: Admin }> {
  const { name, admin } = parseInput(organization, input, "Some of the fields are not valid; see `errors`.");
  const { password, ...person } = admin;
  assertStrongPassword(password, { ...person, organization: name }, "/admin/password");
  return { name, admin: { ...person, passwordHash: await hashPassword(password) } };
}

interface CreatedOrganization {
  organizationId: string;
  /** Its first admin. */
  userId: string;
}

/** Stores an organization and its first admin within the caller's transaction. */
async function insertOrganization(client: PoolClient, name: string, admin: Admin): Promise<CreatedOrganization> {
  const organizationId = newId();
  const data = { id: organizationId, name, created_at: new Date() };
  await inOrganization(organizationId, () => prisma().organizations.create({ data }));
  const userId = await insertUser(client, { organizationId, role: "admin", ...admin });
  return { organizationId, userId };
}

/**
 * False before the first-run page has created the organization, and after the last one was deleted. By SQL, since a
 * start asks it, and Prisma's first query takes a tenth of a second.
 */
export async function organizationExists(db: Pick<Pool | PoolClient, "query"> = pool()): Promise<boolean> {
  const { rowCount } = await acrossOrganizations(() =>
    db.query("SELECT FROM organizations WHERE deleted_at IS NULL LIMIT 1"),
  );
  return rowCount !== 0;
}
